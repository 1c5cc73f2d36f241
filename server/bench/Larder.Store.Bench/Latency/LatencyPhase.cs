using System.Diagnostics;

namespace Larder.Store.Bench;

/// <summary>The gets and sets of one phase, of all its threads.</summary>
internal sealed class LatencyPhase
{
    public static readonly double[] Percentiles = [50, 90, 99, 99.9, 99.99, 100];

    private readonly Latencies _gets = new();
    private readonly Latencies _sets = new();
    private readonly List<SlowCall[]> _slowSets = [];

    /// <summary>
    /// Numbers that a phase is described by: for gets and for sets the percentiles in microseconds, how many, and how many over 1 ms; and the worst set
    /// that ran.
    /// </summary>
    public static int Figures => (2 * PerCall) + 1;

    /// <summary>Of these, those of one kind of call.</summary>
    public static int PerCall => Percentiles.Length + 2;

    public static double WorstSet(ReadOnlySpan<double> figures) => figures[(2 * PerCall) - 3];

    /// <summary>
    /// The worst set during which the system took the processor neither from its thread nor from another that was setting; what else the process does counts.
    /// </summary>
    public static double WorstSetThatRan(ReadOnlySpan<double> figures) => figures[2 * PerCall];

    /// <summary>Adds what one thread saw.</summary>
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
