using System.Runtime.InteropServices;

namespace Larder.Server;

/// <summary>
/// How many connections the system's limit of open files leaves room for. Out of descriptors .NET's runtime cannot go on: that must never come.
/// </summary>
internal static partial class DescriptorLimit
{
    /// <summary>
    /// Descriptors that are not given to connections: the console's connections (96), and 32 for libraries loaded late, files, timers and connections that are
    /// accepted only to be refused.
    /// </summary>
    public const int Reserve = Console.ConsoleHost.MaxConnections + 32;

    // RLIMIT_NOFILE of Linux.
    private const int OpenFiles = 7;

    /// <summary>The connections that may be open at once: what is asked for, or what the limit leaves where that is less.</summary>
    /// <param name="asked">What is asked for.</param>
    /// <param name="limit">Descriptors that the process may have.</param>
    /// <param name="open">Descriptors that it has before the first connection.</param>
    /// <exception cref="ServerOptionsException">There is no room for even one.</exception>
    public static int Connections(int asked, long limit, int open)
    {
        long room = limit - open - Reserve;
        return room >= 1
            ? (int)Math.Min(asked, room)
            : throw new ServerOptionsException(
                $"a process may open {limit} files here, and the server needs {open + Reserve + 1} or more: raise the limit (ulimit -n)");
    }

    /// <summary>The same, of this process, at its start.</summary>
    /// <exception cref="ServerOptionsException">There is no room for even one.</exception>
    public static int Connections(int asked) =>
        OperatingSystem.IsLinux() && GetLimit(OpenFiles, out Limit limit) == 0
            ? Connections(asked, (long)Math.Min(limit.Soft, long.MaxValue), Directory.GetFileSystemEntries("/proc/self/fd").Length)
            : asked;

    [LibraryImport("libc", EntryPoint = "getrlimit")]
    private static partial int GetLimit(int resource, out Limit limit);

    [StructLayout(LayoutKind.Sequential)]
    private struct Limit
    {
        public ulong Soft;
        public ulong Hard;
    }
}
