using System.Diagnostics;

namespace Larder.Store.Bench;

/// <summary>The gets and sets of all threads in one phase.</summary>
internal sealed class LatencyPhase
{
    public static readonly double[] Percentiles = [50, 90, 99, 99.9, 99.99, 100];

    private readonly Latencies _gets = new();
    private readonly Latencies _sets = new();
    private readonly List<SlowCall[]> _slowSets = [];

    /// <summary>
    /// The number of figures that describe a phase. For gets and for sets: the percentiles in microseconds, the count, and the count over 1 ms; then the
    /// worst set that was not preempted.
    /// </summary>
    public static int Figures => (2 * PerCall) + 1;

    /// <summary>The number of these figures that belong to one kind of call.</summary>
    public static int PerCall => Percentiles.Length + 2;

    public static double WorstSet(ReadOnlySpan<double> figures) => figures[(2 * PerCall) - 3];

    /// <summary>
    /// The worst set during which neither its thread nor another thread that was setting was preempted. Other threads of the process are ignored.
    /// </summary>
    public static double WorstSetThatRan(ReadOnlySpan<double> figures) => figures[2 * PerCall];

    /// <summary>Adds the results of one thread.</summary>
    public void Add(Latencies gets, Latencies sets, IEnumerable<SlowCall> slowSets)
    {
        lock (_gets)
        {
            _gets.Add(gets);
            _sets.Add(sets);
            _slowSets.Add([.. slowSets]);
        }
    }

    public IEnumerable<double> ToFigures() => new[] { _gets, _sets }
        .SelectMany(latencies => (IEnumerable<double>)[.. Percentiles.Select(latencies.PercentileUs), latencies.Total, latencies.CountOverUs(1000)])
        .Append(WorstThatRanUs());

    private double WorstThatRanUs()
    {
        SlowCall[] switched = [.. _slowSets.SelectMany(calls => calls).Where(call => call.WasSwitched)];
        return _slowSets.SelectMany(calls => calls)
            .Where(call => !call.WasSwitched && !switched.Any(call.Meets))
            .Select(call => (call.To - call.From) * 1e6 / Stopwatch.Frequency)
            .Append(LatencyRun.SlowUs)
            .Max();
    }
}
