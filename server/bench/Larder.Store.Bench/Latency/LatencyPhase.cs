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
    /// The number of results of a phase. The results of the gets come first, followed by those of the sets. For each kind of call, they are the percentiles in
    /// microseconds, the number of calls, and the number of calls over 1 ms. The last result is the duration of the slowest set that was not affected by
    /// preemption.
    /// </summary>
    public static int Figures => (2 * PerCall) + 1;

    /// <summary>The number of results for one kind of call.</summary>
    public static int PerCall => Percentiles.Length + 2;

    public static double WorstSet(ReadOnlySpan<double> figures) => figures[(2 * PerCall) - 3];

    /// <summary>
    /// Returns the duration of the slowest set that was not affected by preemption. A set is affected if its thread was preempted during the set, or if it
    /// overlapped a slow set of another thread that was preempted. Preemption of all other threads is ignored.
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
