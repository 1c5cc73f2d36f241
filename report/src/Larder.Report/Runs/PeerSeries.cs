namespace Larder.Report.Runs;

/// <summary>The results of another library. It was measured in the same run with the same numbers of callers, alternately with the client.</summary>
/// <param name="Name">The name, such as <c>stackexchange-redis</c>.</param>
/// <param name="Rungs">The rungs, in ascending order of callers.</param>
internal sealed record PeerSeries(string Name, IReadOnlyList<SearchRung> Rungs);
