using Microsoft.Win32.SafeHandles;

namespace Larder.Cli;

/// <summary>Standard output for results without end: who reads it may close it (<c>head</c>), which .NET's own console stream does not tell.</summary>
internal static class ResultStream
{
    private const int BufferBytes = 64 * 1024;

    // EPIPE; on Windows ERROR_BROKEN_PIPE and ERROR_NO_DATA.
    private static readonly int[] s_closed = [32, unchecked((int)0x8007006D), unchecked((int)0x800700E8)];

    public static Stream Open()
    {
        FileStream pipe = new(new SafeFileHandle(1, ownsHandle: false), FileAccess.Write, bufferSize: 0);
        if (!pipe.CanSeek)
        {
            return new BufferedStream(pipe, BufferBytes);
        }

        // A file: others write to it too, at the place that they share.
        pipe.Dispose();
        return new BufferedStream(Console.OpenStandardOutput(), BufferBytes);
    }

    /// <summary>Writes results, a part at a time; who reads may have seen enough before the last.</summary>
    /// <returns>What <paramref name="write"/> says, or how it failed to write.</returns>
    public static async Task<int> WriteAsync(Func<Stream, Task<int>> write)
    {
        try
        {
            return await write(Open()).ConfigureAwait(false);
        }
        catch (IOException closed) when (IsClosed(closed))
        {
            return ExitCode.Done;
        }
        catch (IOException unwritten)
        {
            return Output.Fail(unwritten.Message);
        }
    }

    /// <summary>Whether a write failed because nobody reads any more.</summary>
    public static bool IsClosed(IOException failed) => s_closed.Contains(failed.HResult);
}
