namespace Larder.Tuner.Adaptive;

/// <summary>
/// Moves a cap on requests in flight so that p99.9 stays at a target. More than 1 call in 1,000 over it: shrink by a fifth. Fewer than half as many, and the
/// cap in the way of callers: grow by a twentieth. Calls begun before a change say nothing about it and are not counted. Where shrinking costs throughput and buys
/// no latency, the target is out of reach (a slow server, not a queue): the cap goes back to the smallest that kept the throughput, says so, and rests.
/// Pure: it is told what calls took and when, and reads no clock.
/// </summary>
internal sealed class AdaptiveCap
{
    private const double Budget = 0.001;
    private const double Shrinkage = 0.8;
    private const double Growth = 1.05;

    /// <summary>Part of an episode's best throughput that a cap must have kept to be gone back to.</summary>
    private const double Kept = 0.97;

    /// <summary>Windows that are over the target beyond doubt are judged at this many calls for each of the cap: two rounds of all callers.</summary>
    private const int RoundsWhenOver = 2;

    private readonly AdaptiveCapOptions _options;
    private readonly List<CapTrial> _episode = [];
    private CapWindow _window;
    private TimeSpan _restUntil = TimeSpan.MinValue;
    private TimeSpan _rest;
    private double _leastSeconds = double.PositiveInfinity;

    /// <summary>A controller that begins at <see cref="AdaptiveCapOptions.Initial"/>.</summary>
    public AdaptiveCap(AdaptiveCapOptions options, TimeSpan now)
    {
        _options = options;
        Limit = Math.Clamp(options.Initial, options.Least, options.Most);
        _rest = options.Rest;
        _window = new CapWindow(now);
    }

    /// <summary>The cap now.</summary>
    public int Limit { get; private set; }

    /// <summary>Whether the target was found to be out of reach, and is not chased at the moment.</summary>
    public bool TargetOutOfReach { get; private set; }

    /// <summary>Tells it of a call that has ended. Times are of any one clock.</summary>
    /// <param name="begun">When it took its permit.</param>
    /// <param name="now">When it ended.</param>
    /// <param name="othersWaited">Whether others waited for a permit meanwhile: otherwise the application limits, not the cap.</param>
    public void Completed(TimeSpan begun, TimeSpan now, bool othersWaited)
    {
        if (begun < _window.Since)
        {
            return;
        }

        var took = now - begun;
        _leastSeconds = Math.Min(_leastSeconds, took.TotalSeconds);
        _window.Add(took, took > _options.Target, othersWaited);
        if (IsDue(now))
        {
            Judge(now);
        }
    }

    private bool IsDue(TimeSpan now)
    {
        var beyondDoubt = _window.Over >= 4 && _window.Over > 4 * Budget * _window.Calls && _window.Calls >= RoundsWhenOver * Limit;
        var old = now - _window.Since >= _options.WindowTime && _window.Calls >= 100;
        return beyondDoubt || old || _window.Calls >= _options.WindowCalls;
    }

    private void Judge(TimeSpan now)
    {
        var window = _window;
        _window = new CapWindow(now);
        var share = (double)window.Over / window.Calls;
        if (share <= Budget)
        {
            _episode.Clear();
            (TargetOutOfReach, _rest) = (false, _options.Rest);
            if (share < Budget / 2 && window.Waited * 2 > window.Calls)
            {
                Move((int)Math.Ceiling(Limit * Growth));
            }

            return;
        }

        if (now >= _restUntil)
        {
            Shrink(new CapTrial(Limit, window.Calls / (now - window.Since).TotalSeconds, window.MeanSeconds, share), now);
        }
    }

    private void Shrink(CapTrial trial, TimeSpan now)
    {
        var before = _episode.Count > 0 ? _episode[^1] : null;
        _episode.Add(trial);
        if (before is not null && !trial.HelpedAfter(before) || Limit == Floor(trial))
        {
            GiveUp(now);
            return;
        }

        Move(Math.Max(Floor(trial), (int)(Limit * Shrinkage)));
    }

    /// <summary>Little's law: fewer in flight than throughput × the least time a call ever took cannot carry that throughput.</summary>
    private int Floor(CapTrial trial) => Math.Clamp((int)Math.Ceiling(trial.CallsPerSecond * _leastSeconds), _options.Least, Limit);

    private void GiveUp(TimeSpan now)
    {
        var best = _episode.Max(trial => trial.CallsPerSecond);
        var smallest = _episode.Where(trial => trial.CallsPerSecond >= best * Kept).Min(trial => trial.Limit);
        _episode.Clear();
        TargetOutOfReach = true;
        _restUntil = now + _rest;
        _rest = _rest * 2 < _options.Rest * 8 ? _rest * 2 : _options.Rest * 8;
        Move(smallest);
    }

    private void Move(int limit) => Limit = Math.Clamp(limit, _options.Least, _options.Most);
}
