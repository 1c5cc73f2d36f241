using Larder.Report.Runs;

namespace Larder.Report.Readme;

/// <summary>A committed run, with its file name relative to <c>tuner/results/</c>.</summary>
internal sealed record CommittedRun(string File, TuneRun Run)
{
    private static readonly string[] s_languages = ["dotnet", "python", "node"];

    /// <summary>Gets whether client and server ran on one machine without a simulated network.</summary>
    public bool IsLoopback => Run.Client.Network == "loopback";

    /// <summary>
    /// Gets a text with the client and its transport. The text also contains the workload unless it is <c>reference</c>, and the network unless it is loopback.
    /// </summary>
    public string Client =>
        $"{ConfigurationCode.PlatformOf(Run.Client.Language)}, {Run.Client.Transport}"
        + (Run.Workload.Name == "reference" ? "" : $", {Run.Workload.Name} workload")
        + (IsLoopback ? "" : $", {Run.Client.Network}");

    /// <summary>Sorts runs for tables: by language, transport, network and target, newest first.</summary>
    public static IReadOnlyList<CommittedRun> InOrder(IReadOnlyList<CommittedRun> runs) =>
    [
        .. runs.OrderBy(one => Array.IndexOf(s_languages, one.Run.Client.Language))
            .ThenBy(one => one.Run.Client.Transport, StringComparer.Ordinal)
            .ThenBy(one => !one.IsLoopback)
            .ThenBy(one => one.Client, StringComparer.Ordinal)
            .ThenBy(one => one.Run.Target.LimitUs)
            .ThenByDescending(one => one.Run.Machine.Date),
    ];

    /// <summary>Returns the newest run for each client and target.</summary>
    public static IReadOnlyList<CommittedRun> Newest(IReadOnlyList<CommittedRun> runs) => [.. InOrder(runs).DistinctBy(one => (one.Client, one.Run.Target))];
}
