using System.Runtime.InteropServices;

namespace Larder.Server;

/// <summary>
/// Limits the number of connections according to the operating system's limit of open files. The .NET runtime does not survive if the process runs out of file
/// descriptors.
/// </summary>
internal static partial class DescriptorLimit
{
    /// <summary>
    /// The number of file descriptors reserved for other uses. Of these, 96 are for console connections. The other 32 are for files, timers, libraries that are
    /// loaded later, and connections that are accepted only to be rejected.
    /// </summary>
    public const int Reserve = Console.ConsoleHost.MaxConnections + 32;

    // The value of RLIMIT_NOFILE on Linux.
    private const int OpenFiles = 7;

    /// <summary>Returns the maximum number of connections: the requested number, or fewer if there are not enough file descriptors.</summary>
    /// <param name="asked">The requested number.</param>
    /// <param name="limit">The maximum number of descriptors of the process.</param>
    /// <param name="open">The descriptors in use before the first connection.</param>
    /// <exception cref="ServerOptionsException">The limit does not allow even one connection.</exception>
    public static int Connections(int asked, long limit, int open)
    {
        long room = limit - open - Reserve;
        return room >= 1
            ? (int)Math.Min(asked, room)
            : throw new ServerOptionsException(
                $"the limit of open files is {limit}, but the server needs at least {open + Reserve + 1}; raise it with ulimit -n");
    }

    /// <summary>
    /// Returns the maximum number of connections for this process. On Linux, reads the process's descriptor limit and the number of descriptors in use. On
    /// other systems, returns the requested number.
    /// </summary>
    /// <exception cref="ServerOptionsException">The limit does not allow even one connection.</exception>
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
