using Larder.Agent;
using Larder.Report.Runs;

namespace Larder.Tuner.Machine;

/// <summary>
/// A snapshot of a <see cref="StallMeter"/>. It contains the elapsed time, the histogram of wake-up delays, the steal time, and the CPU time of the meter.
/// </summary>
internal sealed record StallReading(double Seconds, LoadHistogram Late, double StolenSeconds, double MeterCpuSeconds)
{
    /// <summary>Returns the stalls between an earlier snapshot and this one.</summary>
    public MachineStalls Since(StallReading earlier)
    {
        LoadHistogram late = Late.Since(earlier.Late);
        return new MachineStalls
        {
            Seconds = Math.Round(Seconds - earlier.Seconds, 4),
            Over5Ms = late.Counts().Where(pair => LoadHistogram.ValueOf(pair.Index) >= MachineStalls.LongNs).Sum(pair => pair.Count),
            WorstUs = late.MaxNs / 1000.0,
            P999Us = late.QuantileUs(0.999),
            SecondsOver1Ms = Sum(late, MachineStalls.ShortNs),
            SecondsOver5Ms = Sum(late, MachineStalls.LongNs),
            StolenSeconds = Math.Round(StolenSeconds - earlier.StolenSeconds, 3),
            MeterCpuSeconds = Math.Round(MeterCpuSeconds - earlier.MeterCpuSeconds, 6),
        };
    }

    private static double Sum(LoadHistogram late, long leastNs) =>
        late.Counts()
            .Select(pair => (Ns: LoadHistogram.ValueOf(pair.Index), pair.Count))
            .Where(pair => pair.Ns >= leastNs)
            .Sum(pair => pair.Ns * pair.Count) / 1e9;
}
