using Larder.Report;
using Larder.Report.Drawing;

namespace Larder.Lab.Story;

/// <summary>The texts that the page and the Markdown share.</summary>
internal static class StoryText
{
    public static string Title(StoryRun run) =>
        $"Tuning experiments for the {ConfigurationCode.PlatformOf(run.Language)} cache client";

    /// <summary>The introduction for the reader.</summary>
    public const string Lead =
        "The defaults of the Larder clients are based on published tuning experiments with cache clients over gRPC. This page repeats these experiments on one "
        + "machine, which runs both the client and the server, and compares the results with the published ones. Absolute figures from different machines are "
        + "not comparable. Compare the changes between scenarios, and the numbers of requests in flight. The sentences below each experiment are generated "
        + "from its figures and say whether the published result was reproduced.";

    /// <summary>The explanation of the values and marks, and the workload.</summary>
    public const string Marks =
        "Each figure is the median of all passes, followed by the lowest and the highest in parentheses. p50 and p99.9 are latency percentiles, measured in "
        + "the client. Client processors are the average number of processors that the client used. ~ marks rows that other programs disturbed; * marks a "
        + "p99.9 of fewer than 10,000 requests. The workload is half gets and half sets, with values of 100 bytes and 1,000 keys. The load is a closed loop, "
        + "in which each caller waits for the response before it sends its next request; only the tuning for latency targets uses an open loop.";

    /// <summary>Returns the notes that a reader must know before reading the results. Empty for a complete run of the current version.</summary>
    public static IEnumerable<string> Notes(StoryRun run)
    {
        foreach (MeasuredTransport each in run.Transports.Where(each => each.ReplacedBy is not null))
        {
            yield return $"Outdated: the {each.Name} transport was measured over {each.Over}, which was replaced by {each.ReplacedBy}. Its figures and "
                + $"settings do not apply to this version. To measure again, run larder lab story --client {run.Language} --publish.";
        }

        if (run.Interrupted)
        {
            yield return $"This run was interrupted after {(run.Steps.Count == 1 ? "1 experiment" : $"{run.Steps.Count} experiments")}.";
        }

        int noisy = run.Steps.SelectMany(step => step.Rows).Count(row => row.Passes.Count > 0 && row.Noisy);
        if (noisy > 0)
        {
            yield return $"Other programs disturbed {noisy} of {run.Steps.Sum(step => step.Rows.Count)} rows (~).";
        }
    }

    /// <summary>Returns a sentence about the machine's stalls during a step; null if there were no stalls.</summary>
    public static string? Stalls(StoryStep step)
    {
        var stalls = step.Rows.SelectMany(row => row.Passes).Select(one => one.Stalls).Where(one => one is not null).ToList();
        long count = stalls.Sum(one => one!.Over5Ms);
        return count == 0
            ? null
            : $"The machine stalled {(count == 1 ? "once" : $"{Show.Count(count)} times")} for 5 ms or more during this experiment. The longest stall took "
                + $"{Show.Us(stalls.Max(one => one!.WorstUs))}.";
    }

    /// <summary>Returns the tuner's results whose settings are recommended. Results of a transport that was replaced are not recommended.</summary>
    public static IEnumerable<StoryResult> Recommended(StoryRun run, StoryStep step) =>
        step.Answers.Where(answer => answer.Code is not null && run.Replaced(answer.Transport) is null);

    /// <summary>Returns the environment of the run as lines, one fact per line.</summary>
    public static IEnumerable<string> Facts(StoryRun run) =>
    [
        .. run.Machine.Lines(run.Command),
        $"- client: {run.Language} {run.ClientVersion}, {run.Runtime}",
        .. run.Transports.Select(each => $"- {each.Name}: over {each.Over}, {each.Source}{(each.ReplacedBy is null ? "" : " (replaced)")}"),
        $"- duration: {Show.Count(Math.Round(run.TookSeconds))} s",
    ];
}
