using Microsoft.Win32.SafeHandles;

namespace Larder.Cli;

/// <summary>
/// Standard output for results of any length. It detects that the reader of a pipe (for example <c>head</c>) has closed the pipe, which .NET's own console
/// stream does not report.
/// </summary>
internal static class ResultStream
{
    private const int BufferBytes = 64 * 1024;

    // The error codes for a closed pipe: EPIPE on Unix, ERROR_BROKEN_PIPE and ERROR_NO_DATA on Windows.
    private static readonly int[] s_closed = [32, unchecked((int)0x8007006D), unchecked((int)0x800700E8)];

    public static Stream Open()
    {
        FileStream pipe = new(new SafeFileHandle(1, ownsHandle: false), FileAccess.Write, bufferSize: 0);
        if (!pipe.CanSeek)
        {
            return new BufferedStream(pipe, BufferBytes);
        }

        // Standard output is a file. Use .NET's console stream, because other processes may write to the same file at a shared position.
        pipe.Dispose();
        return new BufferedStream(Console.OpenStandardOutput(), BufferBytes);
    }

    /// <summary>Writes results in parts. It is not an error if the reader closes the pipe early.</summary>
    /// <returns>The result of <paramref name="write"/>, or the exit code of a failed write.</returns>
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

    /// <summary>Returns whether a write failed because the reader has closed the pipe.</summary>
    public static bool IsClosed(IOException failed) => s_closed.Contains(failed.HResult);
}
