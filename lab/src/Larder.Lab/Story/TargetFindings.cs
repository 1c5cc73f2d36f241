using Larder.Report;
using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>
/// The lessons of the sweep in the server's region and of the tuning for the two targets: calls in flight here, as published, and as shipped.
/// </summary>
internal static class TargetFindings
{
    /// <summary>If the ratio of two numbers of calls in flight is below this, they count as about the same, because the rungs are this far apart.</summary>
    private const double About = 2;

    /// <summary>
    /// Applies the published method to the sweep: the smallest number of calls in flight with nearly the best rate within the target.
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
                ? $"{TargetText.Of(target)}: most was done here with {Show.Count(rows[index].X)} in flight, {Show.Count(rows[index].RequestsPerSecond)} calls "
                    + $"a second{Beside(rows[index].X, published, shipped, NameFor(target))}."
                : $"{TargetText.Of(target)}: no number in flight kept it here{Beside(null, published, shipped, NameFor(target))}.";
        }
    }

    /// <summary>Returns the tuner's answers.</summary>
    public static IEnumerable<string?> Of(StoryStep step, StoryRun run)
    {
        foreach (StoryResult answer in step.Answers)
        {
            ShippedCaps? shipped = ShippedFor(run, answer.Target);
            int? cap = answer.Transport == "unary" ? shipped?.Unary : shipped?.Pipeline;
            string outdated = run.Replaced(answer.Transport) is { } replaced ? $" (outdated: over {replaced.Over})" : "";
            yield return $"{Headline.Sentence(answer.Transport)}{outdated}, {TargetText.Of(answer.Target)}: {answer.Sentence.TrimEnd('.')}"
                + $"{Beside(answer.Proved?.Cap, answer.Published, cap, NameFor(answer.Target))}.";
        }
    }

    /// <summary>Returns the caps of the configuration for a target; null if unknown.</summary>
    public static ShippedCaps? ShippedFor(StoryRun run, TuneTarget target) =>
        run.Shipped.FirstOrDefault(caps => caps.Configuration == (IsLax(target) ? "inRegion.default.v1" : "inRegion.lowLatency.v1"));

    /// <summary>Returns the name of that configuration in code.</summary>
    public static string NameFor(TuneTarget target) => $"Configurations.InRegion.{(IsLax(target) ? "Default" : "LowLatency")}";

    private static bool IsLax(TuneTarget target) => target.LimitUs > StoryOptions.Targets[0].LimitUs;

    private static string Beside(double? here, PublishedTarget? published, int? shipped, string name)
    {
        string text = published is null ? "" : $"; published: {Show.Count(published.InFlight)} in flight, {Show.Count(published.RequestsPerSecond)} a second";
        return text + (shipped is null ? "" : $"; {name} has {Show.Count(shipped)}{Stands(here, shipped.Value)}");
    }

    private static string Stands(double? here, int shipped) => here switch
    {
        null => "",
        { } cap when cap / shipped is > 1 / About and < About => ", about as many",
        { } cap when cap > shipped => ", fewer than these figures say",
        _ => ", more than these figures say",
    };
}
