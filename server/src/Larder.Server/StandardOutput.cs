using System.Runtime.InteropServices;
using System.Text;

namespace Larder.Server;

/// <summary>
/// Writes to standard output without <see cref="System.Console"/>. In that class, writes to standard output and standard error share a lock. If no program
/// reads the log and its pipe is full, the start line would be blocked forever.
/// </summary>
internal static unsafe partial class StandardOutput
{
    private const int Descriptor = 1;

    public static void WriteLine(string line)
    {
        if (OperatingSystem.IsWindows())
        {
            System.Console.Out.WriteLine(line);
            return;
        }

        ReadOnlySpan<byte> left = Encoding.UTF8.GetBytes(line + "\n");
        while (!left.IsEmpty)
        {
            fixed (byte* bytes = left)
            {
                nint written = Write(Descriptor, bytes, left.Length);
                if (written < 0)
                {
                    // The pipe was closed. The error is ignored and the server continues.
                    return;
                }

                left = left[(int)written..];
            }
        }
    }

    [LibraryImport("libc", EntryPoint = "write")]
    private static partial nint Write(int descriptor, byte* bytes, nint count);
}
