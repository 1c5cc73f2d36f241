using Larder.Report.Runs;

namespace Larder.Report.Readme;

/// <summary>A run that is committed, and where: its file's name from <c>tuner/results/</c> on.</summary>
internal sealed record CommittedRun(string File, TuneRun Run)
{
    private static readonly string[] s_languages = ["dotnet", "python", "node"];

    /// <summary>Whether client and server ran on one machine with nothing between them.</summary>
    public bool IsLoopback => Run.Client.Network == "loopback";

    /// <summary>The client and its transport, and whatever is unusual about the load.</summary>
    public string Client =>
        $"{ConfigurationCode.PlatformOf(Run.Client.Language)}, {Run.Client.Transport}"
        + (Run.Workload.Name == "reference" ? "" : $", {Run.Workload.Name} workload")
        + (IsLoopback ? "" : $", {Run.Client.Network}");

    /// <summary>As tables have them: by language, transport, network, target, the newest first.</summary>
    public static IReadOnlyList<CommittedRun> InOrder(IReadOnlyList<CommittedRun> runs) =>
    [
        .. runs.OrderBy(one => Array.IndexOf(s_languages, one.Run.Client.Language))
            .ThenBy(one => one.Run.Client.Transport, StringComparer.Ordinal)
            .ThenBy(one => !one.IsLoopback)
            .ThenBy(one => one.Client, StringComparer.Ordinal)
            .ThenBy(one => one.Run.Target.LimitUs)
            .ThenByDescending(one => one.Run.Machine.Date),
    ];

    /// <summary>Of those that asked the same of the same, the newest.</summary>
    public static IReadOnlyList<CommittedRun> Newest(IReadOnlyList<CommittedRun> runs) => [.. InOrder(runs).DistinctBy(one => (one.Client, one.Run.Target))];
}
