using Larder.Report;
using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>
/// The conclusions from the sweep in the server's region and from the tuning for the two targets. They compare the measured, the published and the shipped
/// concurrency.
/// </summary>
internal static class TargetFindings
{
    /// <summary>
    /// The maximum factor between two numbers of requests in flight that count as about the same. Successive numbers in the sweep differ by about this factor.
    /// </summary>
    private const double About = 2;

    /// <summary>
    /// Applies the published method to the sweep and returns sentences with the result. The method chooses the smallest number of requests in flight that meets
    /// the target with nearly the highest rate.
    /// </summary>
    public static IEnumerable<string?> OfRegion(StoryStep step, StoryRun run)
    {
        StoryRow[] rows = [.. step.Line("")];
        (int, double, double)[] points =
            [.. rows.Select(row => ((int)row.X, row.RequestsPerSecond * (1 - row.FailedShare), row.Middle(one => one.Latency.P999Us)))];
        foreach (TuneTarget target in StoryOptions.Targets.Reverse())
        {
            PublishedTarget? published = PublishedFigures.Target(run.Language, target.LimitUs);
            int? shipped = ShippedFor(run, target)?.Unary;
            if (rows.Length == 0)
            {
                yield break;
            }

            yield return Knee.Of(points, target.LimitUs) is { } index
                ? $"{TargetText.Of(target)}: the best concurrency was {Show.Count(rows[index].X)} requests in flight, with "
                    + $"{StoryFindings.Throughput(rows[index])}.{Compared(rows[index].X, published, shipped, NameFor(target))}"
                : $"{TargetText.Of(target)}: no concurrency met this target.{Compared(null, published, shipped, NameFor(target))}";
        }
    }

    /// <summary>Returns sentences with the tuner's results.</summary>
    public static IEnumerable<string?> Of(StoryStep step, StoryRun run)
    {
        foreach (StoryResult answer in step.Answers)
        {
            ShippedCaps? shipped = ShippedFor(run, answer.Target);
            int? cap = answer.Transport == "unary" ? shipped?.Unary : shipped?.Pipeline;
            string outdated = run.Replaced(answer.Transport) is { } replaced ? $" (outdated: measured over {replaced.Over})" : "";
            yield return $"{Headline.Sentence(answer.Transport)}{outdated}, {TargetText.Of(answer.Target)}: {ResultOf(answer)}"
                + Compared(answer.Proved?.Cap, answer.Published, cap, NameFor(answer.Target));
        }
    }

    /// <summary>Returns the concurrency limits of the shipped configuration for a target; null if unknown.</summary>
    public static ShippedCaps? ShippedFor(StoryRun run, TuneTarget target) =>
        run.Shipped.FirstOrDefault(caps => caps.Configuration == (IsLax(target) ? "inRegion.default.v1" : "inRegion.lowLatency.v1"));

    /// <summary>Returns the name in code of the shipped configuration for a target.</summary>
    public static string NameFor(TuneTarget target) => $"Configurations.InRegion.{(IsLax(target) ? "Default" : "LowLatency")}";

    private static bool IsLax(TuneTarget target) => target.LimitUs > StoryOptions.Targets[0].LimitUs;

    private static string ResultOf(StoryResult answer) => answer.Proved is { } proved
        ? $"{Show.Count(proved.RatePerSecond)} requests per second with a concurrency limit of {Show.Count(proved.Cap)}, "
            + $"{RateAnswer.FigureOf(answer.Target, proved)}.{(proved.BreaksAt is { } missed ? $" A rate of {Show.Count(missed)} missed the target." : "")}"
        : $"larder tune reported \"{answer.Sentence}\"";

    private static string Compared(double? measured, PublishedTarget? published, int? shipped, string name)
    {
        string text = published is null
            ? ""
            : $" Published: {Show.Count(published.InFlight)} requests in flight, with {Show.Count(published.RequestsPerSecond)} requests per second.";
        return text + (shipped is null ? "" : $" The limit in {name} is {Show.Count(shipped)}{Difference(measured, shipped.Value)}.");
    }

    private static string Difference(double? measured, int shipped) => measured switch
    {
        null => "",
        { } best when best / shipped is > 1 / About and < About => ", about the same as measured here",
        { } best when best > shipped => ", lower than measured here",
        _ => ", higher than measured here",
    };
}
