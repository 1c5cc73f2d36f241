using System.Globalization;

namespace Larder.Lab.Attackers;

/// <summary>A control group that limits a process's memory. The kernel kills a process that exceeds the limit, as in a container.</summary>
internal sealed class MemoryGroup : IDisposable
{
    /// <summary>
    /// The limit: 512 MiB, in bytes. A server with <c>--memory 256m</c> may use 256 MB × 1.15 + 100 MB = 394 MB (ADR-0037). The difference is a margin.
    /// </summary>
    public const long LimitBytes = 512L << 20;

    private static readonly (string Root, string Limit)[] s_versions =
        [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")];

    private static int s_count;

    private readonly string? _folder;

    /// <summary>Creates a group if this machine permits it.</summary>
    public MemoryGroup()
    {
        (string root, string limit) = s_versions.FirstOrDefault(version => Directory.Exists(version.Root));
        if (root is null)
        {
            Obstacle = "no control groups on this machine";
            return;
        }

        string folder = Path.Combine(root, $"larder-attackers-{Environment.ProcessId}-{Interlocked.Increment(ref s_count)}");
        try
        {
            Directory.CreateDirectory(folder);
            _folder = folder;
            File.WriteAllText(Path.Combine(folder, limit), LimitBytes.ToString(CultureInfo.InvariantCulture));
        }
        catch (Exception denied) when (denied is IOException or UnauthorizedAccessException)
        {
            Obstacle = $"no control group: {denied.Message}";
            Dispose();
            _folder = null;
        }
    }

    /// <summary>Gets the reason why there is no limit; null if there is one.</summary>
    public string? Obstacle { get; }

    /// <summary>Gets the command that runs <c>dotnet</c> in the group.</summary>
    public IReadOnlyList<string> Runner =>
        _folder is null ? ["dotnet"] : ["bash", "-c", "echo $$ > \"$0\" && exec dotnet \"$@\"", Path.Combine(_folder, "cgroup.procs")];

    /// <summary>Returns the peak resident memory of a process, in bytes. Returns null if the process has ended or the system is not Linux.</summary>
    public static long? PeakOf(int process)
    {
        try
        {
            string? line = File.ReadLines($"/proc/{process}/status").FirstOrDefault(line => line.StartsWith("VmHWM:", StringComparison.Ordinal));
            return line is null ? null : long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture) * 1_024;
        }
        catch (IOException)
        {
            return null;
        }
    }

    /// <summary>Removes the group. The process in the group must have ended.</summary>
    public void Dispose()
    {
        if (_folder is not null && Directory.Exists(_folder))
        {
            Directory.Delete(_folder);
        }
    }
}
