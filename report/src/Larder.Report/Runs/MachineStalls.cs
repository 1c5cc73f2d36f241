using System.Globalization;
using Larder.Report.Drawing;

namespace Larder.Report.Runs;

/// <summary>What the machine withheld while something was measured, as a <see cref="StallMeter"/> beside it saw it.</summary>
internal sealed record MachineStalls
{
    /// <summary>From here on a stall counts for targets below 5 ms.</summary>
    public const long ShortNs = 1_000_000;

    /// <summary>From here on it counts for all, and is counted.</summary>
    public const long LongNs = 5_000_000;

    /// <summary>The time that it was watched, in s.</summary>
    public required double Seconds { get; init; }

    /// <summary>Stalls of 5 ms and more.</summary>
    public required long Over5Ms { get; init; }

    /// <summary>The longest stall, in µs.</summary>
    public required double WorstUs { get; init; }

    /// <summary>99.9 % of the meter's wakings were no later, in µs: the floor of what can be kept here.</summary>
    public required double P999Us { get; init; }

    /// <summary>Time in stalls of 1 ms and more, in s.</summary>
    public double SecondsOver1Ms { get; init; }

    /// <summary>Time in stalls of 5 ms and more, in s.</summary>
    public double SecondsOver5Ms { get; init; }

    /// <summary>Processor time that the host kept from this machine, in s.</summary>
    public double StolenSeconds { get; init; }

    /// <summary>Processor time of the meter itself, in s.</summary>
    public double MeterCpuSeconds { get; init; }

    /// <summary>
    /// Part of a target's tail that stalls may have made, 0 to 1: calls come evenly, so the share of the time that was stalled is the share of the calls that a
    /// stall met, and the tail is the share that may miss. A target of 5 ms and more is only missed for stalls of 5 ms and more; a smaller one for
    /// those of 1 ms.
    /// </summary>
    public double ShareOfTail(double quantile, double limitUs) =>
        Seconds <= 0 ? 0 : Math.Min(1, (limitUs * 1000 >= LongNs ? SecondsOver5Ms : SecondsOver1Ms) / Seconds / (1 - quantile));

    /// <summary>In words.</summary>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"machine stalls: {Over5Ms:N0} over 5 ms, worst {Show.Us(WorstUs)}{(StolenSeconds >= 0.01 ? $", the host kept {StolenSeconds:0.00} s" : "")}");
}
