namespace Larder.Report.Runs;

/// <summary>Another library, measured alternately in the same run at the same numbers of callers.</summary>
/// <param name="Name">The name, such as <c>stackexchange-redis</c>.</param>
/// <param name="Rungs">The rungs, in ascending order of callers.</param>
internal sealed record PeerSeries(string Name, IReadOnlyList<SearchRung> Rungs);
