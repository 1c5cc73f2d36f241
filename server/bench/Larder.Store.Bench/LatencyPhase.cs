namespace Larder.Store.Bench;

/// <summary>The gets and sets of one phase, of all its threads.</summary>
internal sealed class LatencyPhase
{
    public static readonly double[] Percentiles = [50, 90, 99, 99.9, 99.99, 100];

    private readonly Latencies _gets = new();
    private readonly Latencies _sets = new();

    /// <summary>Numbers that a phase is described by: for gets and for sets the percentiles in microseconds, how many, and how many over 1 ms.</summary>
    public static int Figures => 2 * (Percentiles.Length + 2);

    public static double WorstSet(ReadOnlySpan<double> figures) => figures[Figures - 3];

    public void Add(Latencies gets, Latencies sets)
    {
        lock (_gets)
        {
            _gets.Add(gets);
            _sets.Add(sets);
        }
    }

    public IEnumerable<double> ToFigures() => new[] { _gets, _sets }.SelectMany(latencies =>
        (IEnumerable<double>)[.. Percentiles.Select(latencies.PercentileUs), latencies.Total, latencies.CountOverUs(1000)]);
}
