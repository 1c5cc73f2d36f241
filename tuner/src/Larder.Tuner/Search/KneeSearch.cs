using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Tuner.Search;

/// <summary>
/// Decides which concurrency to measure next, closed loop, and reads the knee off what was measured. The first pass climbs the ladder until throughput has
/// stopped growing and, where there is a target, latency has crossed it; further passes repeat the rungs found, each in the opposite direction of the one
/// before, so that a machine that slows down with time favours neither end. Pure: it measures nothing itself.
/// </summary>
internal sealed class KneeSearch
{
    /// <summary>Growth of throughput, over the best so far, below which a rung adds nothing.</summary>
    private const double Growth = 1.02;

    /// <summary>Rungs in a row that add nothing before the climb ends: one alone may be a bad moment.</summary>
    private const int FlatRungs = 3;

    private readonly double? _targetUs;
    private readonly int _passes;
    private readonly int _most;
    private readonly Dictionary<int, List<(double RequestsPerSecond, double LatencyUs)>> _measured = [];
    private readonly Queue<int> _repeats = new();
    private int _rung;
    private int _previous;
    private int _passesDone;
    private int _flat;
    private double _best;
    private bool _hurried;

    /// <summary>A search.</summary>
    /// <param name="targetUs">Highest latency that will do, in µs; null for any.</param>
    /// <param name="passes">Measurements of each rung, 1 or more; medians decide. Default 3.</param>
    /// <param name="most">The largest concurrency to try. Default 5,000.</param>
    public KneeSearch(double? targetUs, int passes = 3, int most = 5000)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(passes, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(most, 1);
        (_targetUs, _passes, _most) = (targetUs, passes, most);
        (_previous, _rung) = (1, 1);
    }

    /// <summary>The concurrency to measure now; null when the search is over.</summary>
    public int? Next => _passesDone == 0 ? _rung : _repeats.TryPeek(out int rung) ? rung : null;

    /// <summary>Measurements still to come: while it climbs at most so many, afterwards exactly.</summary>
    public int Left
    {
        get
        {
            if (_hurried)
            {
                return Next is null ? 0 : 1;
            }

            if (_passesDone > 0)
            {
                return _repeats.Count + (Math.Max(0, _passes - _passesDone - 1) * _measured.Count);
            }

            int above = 0;
            for ((int previous, int rung) = (_previous, _rung); rung < _most; above++)
            {
                (previous, rung) = Above(previous, rung);
            }

            return 1 + above + ((_passes - 1) * (_measured.Count + 1 + above));
        }
    }

    /// <summary>Rungs measured, ascending, with the medians of their passes.</summary>
    public IReadOnlyList<(int InFlight, double RequestsPerSecond, double LatencyUs)> Points =>
        [
            .. _measured
                .OrderBy(pair => pair.Key)
                .Select(pair => (pair.Key, Median.Of(pair.Value.Select(one => one.RequestsPerSecond)), Median.Of(pair.Value.Select(one => one.LatencyUs)))),
        ];

    /// <summary>The knee so far: concurrency, throughput, latency; null when no rung is within the target.</summary>
    public (int InFlight, double RequestsPerSecond, double LatencyUs)? Knee =>
        Larder.Report.Runs.Knee.Of(Points, _targetUs) is { } index ? Points[index] : null;

    /// <summary>Adds the measurement of <see cref="Next"/>.</summary>
    public void Add(double requestsPerSecond, double latencyUs)
    {
        int rung = Next ?? throw new InvalidOperationException("the search is over");
        (_measured.TryGetValue(rung, out List<(double RequestsPerSecond, double LatencyUs)>? all) ? all : _measured[rung] = []).Add(
            (requestsPerSecond, latencyUs));
        if (_passesDone == 0)
        {
            Climb(requestsPerSecond, latencyUs);
            return;
        }

        _repeats.Dequeue();
        if (_repeats.Count == 0)
        {
            BeginPass();
        }
    }

    /// <summary>The time is nearly up: it climbs only to the first rung that adds nothing, and repeats none.</summary>
    public void Hurry()
    {
        _hurried = true;
        _repeats.Clear();
    }

    /// <summary>The rungs are 1, 2, 3, 5, 8 …: steps of about 1.6, small enough to find a knee, large enough to end.</summary>
    private void Climb(double requestsPerSecond, double latencyUs)
    {
        _flat = requestsPerSecond > _best * Growth ? 0 : _flat + 1;
        _best = Math.Max(_best, requestsPerSecond);
        bool crossed = _targetUs is null || latencyUs > _targetUs;
        if (_rung >= _most || (_flat >= FlatRungs && crossed) || (_hurried && _flat > 0))
        {
            BeginPass();
            return;
        }

        (_previous, _rung) = Above(_previous, _rung);
    }

    private (int Previous, int Rung) Above(int previous, int rung) => (rung, Math.Min(_most, rung == 1 ? 2 : rung + previous));

    private void BeginPass()
    {
        _passesDone++;
        if (_passesDone >= _passes || _hurried)
        {
            return;
        }

        IOrderedEnumerable<int> rungs = _measured.Keys.Order();
        foreach (int rung in _passesDone % 2 == 1 ? rungs.Reverse() : rungs)
        {
            _repeats.Enqueue(rung);
        }
    }
}
