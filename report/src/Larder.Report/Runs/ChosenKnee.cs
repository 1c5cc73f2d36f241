namespace Larder.Report.Runs;

/// <summary>The knee: which rung of the search, and why that one, in one or two sentences.</summary>
/// <param name="SearchIndex">Index in <see cref="TuneRun.Search"/>.</param>
/// <param name="Why">Such as "the smallest of 3 rungs with at least 98 % of the best throughput within p99.9 &lt; 5 ms".</param>
internal sealed record ChosenKnee(int SearchIndex, string Why);
