namespace Larder.Tuner.Machine;

/// <summary>
/// A reading of CPU times in seconds: the total of all processes of the machine, the CPU time of each process of the tuner, and the steal time of the host.
/// </summary>
internal sealed record CpuReading(double MachineSeconds, double StolenSeconds, IReadOnlyDictionary<int, double> OwnSeconds)
{
    /// <summary>
    /// Reads the CPU times of the machine and of the given processes. Returns null if there is no <c>/proc</c>. A process that has ended counts as 0.
    /// </summary>
    public static CpuReading? Take(IEnumerable<int> own)
    {
        if (!File.Exists("/proc/stat"))
        {
            return null;
        }

        (double machine, double stolen) = ProcStat.Machine(File.ReadAllText("/proc/stat"));
        return new CpuReading(machine, stolen, own.Distinct().ToDictionary(pid => pid, OfProcess));
    }

    /// <summary>Returns the CPU seconds of a process since an earlier reading, or null if one of the readings does not contain the process.</summary>
    public double? Since(CpuReading earlier, int? pid) =>
        pid is { } id && OwnSeconds.TryGetValue(id, out double now) && earlier.OwnSeconds.TryGetValue(id, out double before) ? now - before : null;

    /// <summary>Returns the CPU seconds of other processes plus the steal time since an earlier reading. The result is never negative.</summary>
    public double OthersSince(CpuReading earlier)
    {
        double own = OwnSeconds.Keys.Sum(pid => Since(earlier, pid) ?? 0);
        return Math.Max(0, MachineSeconds - earlier.MachineSeconds - own) + (StolenSeconds - earlier.StolenSeconds);
    }

    private static double OfProcess(int pid)
    {
        try
        {
            return ProcStat.Process(File.ReadAllText($"/proc/{pid}/stat"));
        }
        catch (IOException)
        {
            return 0;
        }
    }
}
