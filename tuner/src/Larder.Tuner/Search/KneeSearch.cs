using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Tuner.Search;

/// <summary>
/// Chooses the concurrency to measure next in a closed loop, and finds the knee in the measurements. The first pass increases the concurrency until throughput
/// stops growing and, if there is a target, latency exceeds it. Further passes repeat these rungs. Each pass runs in the opposite order of the previous one. A
/// machine that slows down over time therefore favours neither low nor high concurrency. This class only computes. It measures nothing itself.
/// </summary>
internal sealed class KneeSearch
{
    /// <summary>The minimum growth of throughput over the best throughput so far. A rung with less growth counts as a rung without growth.</summary>
    private const double Growth = 1.02;

    /// <summary>The number of consecutive rungs without growth that ends the climb. A single such rung may be due to a disturbance.</summary>
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
    private bool _shortened;

    /// <summary>Creates a search.</summary>
    /// <param name="targetUs">The maximum acceptable latency in µs, or null for no limit.</param>
    /// <param name="passes">The number of measurements of each rung, at least 1. The medians are used. The default is 3.</param>
    /// <param name="most">The maximum concurrency to try. The default is 5,000.</param>
    public KneeSearch(double? targetUs, int passes = 3, int most = 5000)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(passes, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(most, 1);
        (_targetUs, _passes, _most) = (targetUs, passes, most);
        (_previous, _rung) = (1, 1);
    }

    /// <summary>Gets the concurrency to measure next, or null when the search is over.</summary>
    public int? Next => _passesDone == 0 ? _rung : _repeats.TryPeek(out int rung) ? rung : null;

    /// <summary>Gets the number of remaining measurements. It is an upper limit during the first pass, and exact afterwards.</summary>
    public int Left
    {
        get
        {
            if (_shortened)
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

    /// <summary>Gets the measured rungs in ascending order, with the medians of their passes.</summary>
    public IReadOnlyList<(int InFlight, double RequestsPerSecond, double LatencyUs)> Points =>
        [
            .. _measured
                .OrderBy(pair => pair.Key)
                .Select(pair => (pair.Key, Median.Of(pair.Value.Select(one => one.RequestsPerSecond)), Median.Of(pair.Value.Select(one => one.LatencyUs)))),
        ];

    /// <summary>Gets the knee so far: concurrency, throughput, latency. Null if no rung meets the target.</summary>
    public (int InFlight, double RequestsPerSecond, double LatencyUs)? Knee =>
        Larder.Report.Runs.Knee.Of(Points, _targetUs) is { } index ? Points[index] : null;

    public void Add(double requestsPerSecond, double latencyUs)
    {
        int rung = Next ?? throw new InvalidOperationException("The search has already ended.");
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

    /// <summary>Ends the search soon, because the time is nearly used up. The climb ends at the first rung without growth, and no rung is repeated.</summary>
    public void ShortenSearch()
    {
        _shortened = true;
        _repeats.Clear();
    }

    /// <summary>
    /// Chooses the next rung of the first pass. The rungs are 1, 2, 3, 5, 8 …. The factor of about 1.6 is small enough to find a knee, and large enough to
    /// finish in time.
    /// </summary>
    private void Climb(double requestsPerSecond, double latencyUs)
    {
        _flat = requestsPerSecond > _best * Growth ? 0 : _flat + 1;
        _best = Math.Max(_best, requestsPerSecond);
        bool crossed = _targetUs is null || latencyUs > _targetUs;
        if (_rung >= _most || (_flat >= FlatRungs && crossed) || (_shortened && _flat > 0))
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
        if (_passesDone >= _passes || _shortened)
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
