using System.Globalization;

namespace Larder.Tuner.Machine;

/// <summary>Reads CPU times from the texts of Linux's <c>/proc</c>; ticks are 1/100 s (USER_HZ, the same on every Linux).</summary>
internal static class ProcStat
{
    private const double TicksPerSecond = 100;

    /// <summary>
    /// Seconds that processes have used since boot, over all processors, and the time that the host withheld: the first line of
    /// <c>/proc/stat</c> is <c>cpu user nice system idle iowait irq softirq steal …</c>. Interrupts are left out: they belong to no process.
    /// </summary>
    public static (double ProcessSeconds, double StolenSeconds) Machine(string stat)
    {
        string[] fields = stat.Split('\n', 2)[0].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return ((Field(fields[1]) + Field(fields[2]) + Field(fields[3])) / TicksPerSecond, Field(fields[8]) / TicksPerSecond);
    }

    /// <summary>Seconds of user and system time of one process, from its <c>/proc/PID/stat</c>. Its name may hold spaces and brackets.</summary>
    public static double Process(string stat)
    {
        string[] fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        return (Field(fields[11]) + Field(fields[12])) / TicksPerSecond;
    }

    /// <summary>Resident memory of a process, in bytes: the second field of its <c>/proc/PID/statm</c> is pages. 0 where it has ended.</summary>
    public static long ResidentBytes(int pid)
    {
        try
        {
            return long.Parse(File.ReadAllText($"/proc/{pid}/statm").Split(' ')[1], CultureInfo.InvariantCulture) * Environment.SystemPageSize;
        }
        catch (IOException)
        {
            return 0;
        }
    }

    private static double Field(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
