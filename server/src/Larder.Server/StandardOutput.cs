using System.Runtime.InteropServices;
using System.Text;

namespace Larder.Server;

/// <summary>
/// Standard output, past <see cref="System.Console"/>: there a write to either stream holds a lock that both wait for, so that a log which nobody reads, its
/// pipe full, would keep the start line back for ever.
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
                    // Nobody reads it: the server serves all the same.
                    return;
                }

                left = left[(int)written..];
            }
        }
    }

    [LibraryImport("libc", EntryPoint = "write")]
    private static partial nint Write(int descriptor, byte* bytes, nint count);
}
