namespace Larder.Report.Runs;

/// <summary>Another library, measured alternately in the same run: its rungs at the same numbers of callers.</summary>
/// <param name="Name">Such as <c>stackexchange-redis</c>.</param>
/// <param name="Rungs">Ascending by callers.</param>
internal sealed record PeerSeries(string Name, IReadOnlyList<SearchRung> Rungs);
