using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Search;
using Larder.Tuner.Tune.Bottlenecks;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.ClosedLoop;

/// <summary>The concurrency search of one client. It contains the next rung to measure, and the measurements of all rungs.</summary>
internal sealed class ConcurrencyLadder(ClientUnderTest tested, TuneOptions options)
{
    private readonly KneeSearch _search = new(options.Targets.Max(target => target.LimitUs), options.Passes, options.Most);
    // Guards the rounds, because an interruption reads them on another thread.
    private readonly Lock _lock = new();
    private readonly SortedDictionary<int, List<Round>> _rounds = [];
    private readonly double _share = options.Targets[0].Quantile;

    public ClientUnderTest Client => tested;

    /// <summary>Gets the concurrency to measure next, or null when the search is over.</summary>
    public int? Next => _search.Next;

    /// <summary>Gets the maximum number of remaining rounds.</summary>
    public int Left => _search.Left;

    /// <summary>Ends the search soon, because the time is nearly used up.</summary>
    public void ShortenSearch() => _search.ShortenSearch();

    /// <summary>Gets the number of the current pass, starting at 1.</summary>
    public int Pass => Next is { } rung && _rounds.TryGetValue(rung, out List<Round>? rounds) ? rounds.Count + 1 : 1;

    /// <summary>Gets the rungs so far, in ascending order.</summary>
    public IReadOnlyList<SearchRung> Rungs
    {
        get
        {
            lock (_lock)
            {
                return [.. _rounds.Select(pair => RungOf(pair.Key, pair.Value))];
            }
        }
    }

    /// <summary>Adds the round that was measured at <see cref="Next"/>. Returns its rung with all measurements so far.</summary>
    public SearchRung Add(Round round)
    {
        int callers = Next!.Value;
        lock (_lock)
        {
            if (!_rounds.TryGetValue(callers, out List<Round>? rounds))
            {
                _rounds[callers] = rounds = [];
            }

            rounds.Add(round);
            _search.Add(round.RequestsPerSecond, round.Histogram.QuantileUs(_share));
            return RungOf(callers, rounds);
        }
    }

    private SearchRung RungOf(int callers, IReadOnlyList<Round> rounds) => new()
    {
        Callers = callers,
        Channels = tested.Variant.Channels ?? 0,
        Repetitions = [.. rounds.Select(round => RoundFigures.Of(round, options.NoiseLimit))],
        Verdict = BottleneckAnalysis.Of(ResourceUse.Of(tested.Variant, callers, rounds, options.NoiseLimit)),
    };
}
