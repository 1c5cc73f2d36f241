using System.Globalization;
using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report;

/// <summary>The result of a run in one sentence, and the knee of the closed loop in another sentence.</summary>
internal static class Headline
{
    /// <summary>Returns the result. A run of an older version has no proved rate, so its result is the knee.</summary>
    public static string Of(TuneRun run) => run.Version < TuneRun.CurrentVersion
        ? $"A run of an older version, without a proved rate. {Sentence(Knee(run))}"
        : run.Interrupted ? Interrupted(run)
        : RateAnswer.Of(run.Target, run.Proved, run.Rates);

    /// <summary>Returns a sentence about the knee.</summary>
    public static string Knee(TuneRun run) =>
        run.KneeRung() is { } knee
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"the closed loop's knee: {knee.Callers:N0} in "
                    + $"flight{(knee.Channels > 0 ? $" over {knee.Channels} channel{(knee.Channels == 1 ? "" : "s")}" : "")}, "
                    + $"{knee.RequestsPerSecond:N0} calls per second, {run.Target.Name()} {Show.Us(Latency(run, knee))}.")
            : string.Create(
                CultureInfo.InvariantCulture,
                $"the closed loop has no knee: no concurrency keeps {run.Target.Name()} below {Show.ShortUs(run.Target.LimitUs)}{Nearest(run)}.");

    /// <summary>Returns the text with a capital first letter.</summary>
    public static string Sentence(string text) => char.ToUpperInvariant(text[0]) + text[1..];

    private static string Interrupted(TuneRun run) => run.Proved is null
        ? string.Create(CultureInfo.InvariantCulture, $"Interrupted after {run.TookSeconds:N0} s, before a rate was confirmed: this run is incomplete.")
        : string.Create(
            CultureInfo.InvariantCulture,
            $"Interrupted after {run.TookSeconds:N0} s: this run is incomplete. {RateAnswer.Of(run.Target, run.Proved, run.Rates)}");

    private static string Nearest(TuneRun run) => run.Search.MinBy(rung => Latency(run, rung)) is { } best
        ? string.Create(CultureInfo.InvariantCulture, $"; the best, at {best.Callers:N0} in flight, is {Show.Us(Latency(run, best))}")
        : "";

    private static double Latency(TuneRun run, SearchRung rung) => rung.Middle(one => one.Latency.AtUs(run.Target.Quantile));
}
