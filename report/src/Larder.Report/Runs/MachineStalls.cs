using System.Globalization;
using Larder.Report.Drawing;

namespace Larder.Report.Runs;

/// <summary>The stalls of the machine during a measurement, as a concurrent stall meter recorded them.</summary>
internal sealed record MachineStalls
{
    /// <summary>The minimum length of a stall that counts for targets below 5 ms.</summary>
    public const long ShortNs = 1_000_000;

    /// <summary>The minimum length of a stall that counts for targets of 5 ms and more. <see cref="Over5Ms"/> counts these stalls.</summary>
    public const long LongNs = 5_000_000;

    /// <summary>Gets the observed time, in s.</summary>
    public required double Seconds { get; init; }

    /// <summary>Gets the number of stalls of 5 ms or more.</summary>
    public required long Over5Ms { get; init; }

    /// <summary>Gets the longest stall, in µs.</summary>
    public required double WorstUs { get; init; }

    /// <summary>Gets the 99.9th percentile of the meter's wake-up delay, in µs. No program can achieve a lower p99.9 on this machine.</summary>
    public required double P999Us { get; init; }

    /// <summary>Gets the total duration of all stalls of 1 ms or more, in s.</summary>
    public double SecondsOver1Ms { get; init; }

    /// <summary>Gets the total duration of all stalls of 5 ms or more, in s.</summary>
    public double SecondsOver5Ms { get; init; }

    /// <summary>Gets the processor time that the host withheld from this machine (steal time), in s.</summary>
    public double StolenSeconds { get; init; }

    /// <summary>Gets the processor time of the meter itself, in s.</summary>
    public double MeterCpuSeconds { get; init; }

    /// <summary>
    /// Returns the share of a target's tail that stalls may have caused, 0 to 1. The tail is the share of calls that may miss the target. Calls arrive evenly,
    /// so the share of stalled time is the share of calls that a stall delays. For targets of 5 ms and more, only stalls of 5 ms and more count. For smaller
    /// targets, stalls of 1 ms and more count.
    /// </summary>
    public double ShareOfTail(double quantile, double limitUs) =>
        Seconds <= 0 ? 0 : Math.Min(1, (limitUs * 1000 >= LongNs ? SecondsOver5Ms : SecondsOver1Ms) / Seconds / (1 - quantile));

    /// <summary>Returns a summary as text.</summary>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"machine stalls: {Over5Ms:N0} over 5 ms, worst {Show.Us(WorstUs)}{(StolenSeconds >= 0.01 ? $", the host withheld {StolenSeconds:0.00} s" : "")}");
}
