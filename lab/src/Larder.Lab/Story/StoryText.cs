using Larder.Report;
using Larder.Report.Drawing;

namespace Larder.Lab.Story;

/// <summary>The texts that the page and the Markdown share.</summary>
internal static class StoryText
{
    public static string Title(StoryRun run) =>
        $"How {ConfigurationCode.PlatformOf(run.Language)}'s cache client was tuned, and what the same experiments show here";

    /// <summary>The introduction for the reader.</summary>
    public const string Lead =
        "Larder started from published tuning experiments with cache clients over gRPC. Here they are again, in order, on one machine with client and server "
        + "together, beside what was published of them. Absolute figures of different machines mean nothing beside each other; how they change, and numbers in "
        + "flight, do. The sentences under each step are made from its figures: where these contradict what was published, they say so.";

    /// <summary>The meaning of the marks.</summary>
    public const string Marks =
        "Figures are medians of the passes, their lowest and highest in brackets. ~: other programs disturbed it. *: p99.9 of fewer than 10,000 calls. Closed "
        + "loop, but for the targets. 100-byte values, 1,000 keys, as many gets as sets.";

    /// <summary>Returns the notes that a reader needs first; none for a complete, current run.</summary>
    public static IEnumerable<string> Notes(StoryRun run)
    {
        foreach (MeasuredTransport each in run.Transports.Where(each => each.ReplacedBy is not null))
        {
            yield return $"Outdated: the {each.Name} transport was measured over {each.Over}, which was replaced by {each.ReplacedBy}. Its figures and "
                + $"settings do not apply to this version. larder lab story --client {run.Language} --publish measures again.";
        }

        if (run.Interrupted)
        {
            yield return $"This run was interrupted: {(run.Steps.Count == 1 ? "1 step was" : $"{run.Steps.Count} steps were")} done.";
        }

        int noisy = run.Steps.SelectMany(step => step.Rows).Count(row => row.Passes.Count > 0 && row.Noisy);
        if (noisy > 0)
        {
            yield return $"Other programs disturbed {noisy} of {run.Steps.Sum(step => step.Rows.Count)} rows (~).";
        }
    }

    /// <summary>Returns a sentence about the machine's stalls during a step; null if there were none.</summary>
    public static string? Stalls(StoryStep step)
    {
        var stalls = step.Rows.SelectMany(row => row.Passes).Select(one => one.Stalls).Where(one => one is not null).ToList();
        long count = stalls.Sum(one => one!.Over5Ms);
        return count == 0
            ? null
            : $"The machine itself stood still {(count == 1 ? "once" : $"{Show.Count(count)} times")} for 5 ms and more while this was measured, at worst for "
                + $"{Show.Us(stalls.Max(one => one!.WorstUs))}.";
    }

    /// <summary>Returns the answers with recommended settings; those of a replaced transport are not recommended.</summary>
    public static IEnumerable<StoryResult> Recommended(StoryRun run, StoryStep step) =>
        step.Answers.Where(answer => answer.Code is not null && run.Replaced(answer.Transport) is null);

    /// <summary>Returns the environment of the run, one line for each fact.</summary>
    public static IEnumerable<string> Facts(StoryRun run) =>
    [
        .. run.Machine.Lines(run.Command),
        $"- client: {run.Language} {run.ClientVersion}, {run.Runtime}",
        .. run.Transports.Select(each => $"- {each.Name}: over {each.Over}, {each.Source}{(each.ReplacedBy is null ? "" : " (replaced)")}"),
        $"- took {Show.Count(Math.Round(run.TookSeconds))} s",
    ];
}
