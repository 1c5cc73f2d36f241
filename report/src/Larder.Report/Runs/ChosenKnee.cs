namespace Larder.Report.Runs;

/// <summary>The chosen knee: a rung of the search, and the reason for the choice in one or two sentences.</summary>
/// <param name="SearchIndex">The index in <see cref="TuneRun.Search"/>.</param>
/// <param name="Why">The reason, such as "the smallest of 3 steps with at least 98 % of the best throughput within p99.9 &lt; 5 ms".</param>
internal sealed record ChosenKnee(int SearchIndex, string Why);
