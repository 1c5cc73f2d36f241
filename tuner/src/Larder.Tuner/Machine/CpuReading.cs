namespace Larder.Tuner.Machine;

/// <summary>CPU seconds used so far: by all processes of the machine, by each of ours, and withheld by the host.</summary>
internal sealed record CpuReading(double MachineSeconds, double StolenSeconds, IReadOnlyDictionary<int, double> OwnSeconds)
{
    /// <summary>Reads the machine's and the given processes' times; null where there is no <c>/proc</c>. A process that has ended counts as 0.</summary>
    public static CpuReading? Take(IEnumerable<int> own)
    {
        if (!File.Exists("/proc/stat"))
        {
            return null;
        }

        (double machine, double stolen) = ProcStat.Machine(File.ReadAllText("/proc/stat"));
        return new CpuReading(machine, stolen, own.Distinct().ToDictionary(pid => pid, OfProcess));
    }

    /// <summary>Seconds that a process used since an earlier reading; null when it was not read.</summary>
    public double? Since(CpuReading earlier, int? pid) =>
        pid is { } id && OwnSeconds.TryGetValue(id, out double now) && earlier.OwnSeconds.TryGetValue(id, out double before) ? now - before : null;

    /// <summary>Seconds that neither we nor idling used since an earlier reading: other processes, and what the host withheld. Not below 0.</summary>
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
