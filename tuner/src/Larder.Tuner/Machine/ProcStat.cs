using System.Globalization;

namespace Larder.Tuner.Machine;

/// <summary>Parses CPU times from Linux's <c>/proc</c>. A tick is 1/100 s (USER_HZ) on every Linux system.</summary>
internal static class ProcStat
{
    private const double TicksPerSecond = 100;

    /// <summary>
    /// Parses <c>/proc/stat</c>. Returns the seconds that processes have used since boot on all processors, and the steal time. The first line of the file is
    /// <c>cpu user nice system idle iowait irq softirq steal …</c>. Interrupts are not counted, because they belong to no process.
    /// </summary>
    public static (double ProcessSeconds, double StolenSeconds) Machine(string stat)
    {
        string[] fields = stat.Split('\n', 2)[0].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return ((Field(fields[1]) + Field(fields[2]) + Field(fields[3])) / TicksPerSecond, Field(fields[8]) / TicksPerSecond);
    }

    /// <summary>
    /// Parses <c>/proc/PID/stat</c>. Returns the user and system time of the process in seconds. The process name in this file may contain spaces and
    /// parentheses.
    /// </summary>
    public static double Process(string stat)
    {
        string[] fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        return (Field(fields[11]) + Field(fields[12])) / TicksPerSecond;
    }

    /// <summary>
    /// Parses <c>/proc/PID/statm</c>. Returns the resident memory of a process in bytes, or 0 if the process has ended. The second field of the file is a
    /// number of pages.
    /// </summary>
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
