using System.Globalization;
using Larder.Tuner.Report.Drawing;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Report;

/// <summary>A run's answer in a sentence.</summary>
internal static class Headline
{
    /// <summary>The sentence.</summary>
    public static string Of(TuneRun run) =>
        run.KneeRung() is { } knee
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"Run {knee.Callers:N0} in flight{(knee.Channels > 0 ? $" over {knee.Channels} channel{(knee.Channels == 1 ? "" : "s")}" : "")}: "
                    + $"{knee.RequestsPerSecond:N0} calls a second, {run.Target.Name()} {Show.Us(Latency(run, knee))}.")
            : string.Create(
                CultureInfo.InvariantCulture,
                $"Out of reach: no concurrency keeps {run.Target.Name()} below {Show.ShortUs(run.Target.LimitUs)} here{Nearest(run)}.");

    private static string Nearest(TuneRun run) => run.Search.MinBy(rung => Latency(run, rung)) is { } best
        ? string.Create(CultureInfo.InvariantCulture, $"; the best, at {best.Callers:N0} in flight, is {Show.Us(Latency(run, best))}")
        : "";

    private static double Latency(TuneRun run, SearchRung rung) => rung.Middle(one => one.Latency.AtUs(run.Target.Quantile));
}
