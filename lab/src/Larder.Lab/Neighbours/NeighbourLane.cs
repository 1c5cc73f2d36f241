using System.Text.Json.Nodes;
using Larder.Report.Runs;

namespace Larder.Lab.Neighbours;

/// <summary>All rounds of one lane. A lane is a measurement of small calls with one kind of neighbour, or without a neighbour.</summary>
internal sealed class NeighbourLane(string name)
{
    private readonly List<NeighbourRound> _rounds = [];

    /// <summary>Gets the name in the table.</summary>
    public string Name => name;

    public double RequestsPerSecond => Median(round => round.Small.RequestsPerSecond);

    /// <summary>Gets the median of the rounds' p50 latencies, in µs. Latencies are measured from the times at which the calls were due.</summary>
    public double P50Us => Median(round => round.Small.Histogram.QuantileUs(0.5));

    /// <summary>Gets the median of the rounds' p99 latencies, in µs.</summary>
    public double P99Us => Median(round => round.Small.Histogram.QuantileUs(0.99));

    /// <summary>Gets the median of the rounds' p99.9 latencies, in µs.</summary>
    public double P999Us => Median(round => round.Small.Histogram.QuantileUs(0.999));

    /// <summary>Gets the highest p99.9 of a round, in µs.</summary>
    public double WorstP999Us => _rounds.Max(round => round.Small.Histogram.QuantileUs(0.999));

    /// <summary>Gets the number of calls in all rounds, including failed ones.</summary>
    public long Calls => _rounds.Sum(round => round.Small.Histogram.Total);

    /// <summary>Gets the lowest and the highest p99 of the rounds, in µs.</summary>
    public (double Low, double High) P99Range =>
        (_rounds.Min(round => round.Small.Histogram.QuantileUs(0.99)), _rounds.Max(round => round.Small.Histogram.QuantileUs(0.99)));

    /// <summary>Gets the number of failed calls in all rounds.</summary>
    public long Errors => _rounds.Sum(round => round.Small.Errors.Values.Sum());

    /// <summary>Gets the numbers of processors used by the measured client, the server and the neighbour.</summary>
    public (double? Client, double? Server, double? Neighbour) Cpu =>
        (Known(round => round.ClientCpu), Known(round => round.ServerCpu), Known(round => round.NeighbourCpu));

    /// <summary>Gets the maximum number of processors that other programs used in a round.</summary>
    public double OthersCpu => _rounds.Max(round => round.OthersCpu ?? 0);

    /// <summary>Gets the number of repetitions of rounds that other programs had disturbed.</summary>
    public int Repeats => _rounds.Sum(round => round.Repeats);

    /// <summary>Gets the neighbour's responses at the end of the rounds.</summary>
    public IEnumerable<JsonObject> NeighbourSaid => _rounds.Select(round => round.NeighbourSaid).OfType<JsonObject>();

    public void Add(NeighbourRound round) => _rounds.Add(round);

    private double Median(Func<NeighbourRound, double> figure) => Larder.Report.Runs.Median.Of(_rounds.Select(figure));

    private double? Known(Func<NeighbourRound, double?> figure) => Larder.Report.Runs.Median.OfKnown(_rounds.Select(figure));
}
