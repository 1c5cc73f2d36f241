using Larder.Client.Calls;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Adaptive;

/// <summary>
/// Connects an <see cref="AdaptiveCap"/> to the client: counts completed calls, judges each window, and sets the limiter's limit. A window is judged only when
/// a call ends, so no timer is needed.
/// </summary>
internal sealed class AdaptiveLimiter
{
    private readonly InFlightLimiter _limiter;
    private readonly AdaptiveCap _cap;
    private readonly Clock _clock;
    private readonly Telemetry? _telemetry;
    private readonly ILogger _logger;
    private readonly Lock _judging = new();
    private readonly TimeSpan _target;
    private readonly long _targetTicks;
    private readonly long _leastAgeTicks;
    private CapWindow _window;

    /// <param name="limiter">The limiter whose limit is set.</param>
    /// <param name="most">The maximum limit, at least 1.</param>
    /// <param name="target">The latency that at most 1 call in 1,000 may exceed. The time in the client's queue is not included.</param>
    /// <param name="clock">The clock of all times that are passed to this class, in its ticks.</param>
    /// <param name="telemetry">Counts changes of the limit. If null, changes are not counted.</param>
    /// <param name="logger">Logs changes of the limit, and whether the latency target can be reached.</param>
    public AdaptiveLimiter(InFlightLimiter limiter, int most, TimeSpan target, Clock clock, Telemetry? telemetry, ILogger logger)
    {
        _limiter = limiter;
        _cap = new AdaptiveCap(most);
        _clock = clock;
        _telemetry = telemetry;
        _logger = logger;
        _target = target;
        _targetTicks = clock.Ticks(target);
        _leastAgeTicks = clock.Ticks(AdaptiveCap.MinAge);
        long now = clock.Now;
        _window = new CapWindow(now, now);
        limiter.ChangeLimit(_cap.Limit);
        telemetry?.WatchTarget(() => IsOutOfReach);
    }

    public AdaptiveCapState State => _cap.State;

    public bool IsOutOfReach => _cap.State == AdaptiveCapState.OutOfReach;

    /// <summary>Counts a call that has just ended. Must be called before the call's permit is released.</summary>
    /// <param name="grantedAt">The time when the call got its permit.</param>
    /// <param name="now">The time when the call ended.</param>
    /// <param name="hasFailed">Whether the call ended with an error. A failed call counts only if it took longer than the target.</param>
    public void Ended(long grantedAt, long now, bool hasFailed)
    {
        CapWindow window = Volatile.Read(ref _window);
        long took = now - grantedAt;
        bool isOver = took > _targetTicks;
        if (grantedAt < window.CountsFrom || (hasFailed && !isOver))
        {
            return;
        }

        window.Add(took, isOver, _limiter.Waiting > 0, now);
        if (now - window.BegunAt >= _leastAgeTicks && IsDue(window, now) && _judging.TryEnter())
        {
            try
            {
                Judge(window, now);
            }
            finally
            {
                _judging.Exit();
            }
        }
    }

    /// <summary>Sets a new maximum for the limit. Called when calls switch to another transport.</summary>
    public void ChangeMost(int most)
    {
        lock (_judging)
        {
            _cap.ChangeMost(most);
            _limiter.ChangeLimit(_cap.Limit);
        }
    }

    private bool IsDue(CapWindow window, long now) =>
        _cap.IsDue(window.Calls, window.Over, _clock.Between(window.BegunAt, now));

    private void Judge(CapWindow window, long now)
    {
        if (window != _window)
        {
            // Another thread has already judged the window.
            return;
        }

        int from = _cap.Limit;
        bool wasOutOfReach = IsOutOfReach;
        CapCounts counts = window.CountsAt(now, ticks => _clock.Between(0, ticks));
        _cap.Judge(counts, _clock.Between(0, now));
        Volatile.Write(ref _window, new CapWindow(now, _cap.Limit == from ? window.CountsFrom : now));
        if (_cap.Limit != from)
        {
            _limiter.ChangeLimit(_cap.Limit);
            _telemetry?.CapChanged(grew: _cap.Limit > from);
            Log.CapChanged(_logger, from, _cap.Limit, counts.Over, counts.Calls, _target.TotalMilliseconds);
        }

        Report(wasOutOfReach, counts);
    }

    private void Report(bool wasOutOfReach, in CapCounts counts)
    {
        if (IsOutOfReach == wasOutOfReach)
        {
            return;
        }

        if (wasOutOfReach)
        {
            Log.TargetInReach(_logger, _target.TotalMilliseconds);
        }
        else
        {
            Log.TargetOutOfReach(_logger, _target.TotalMilliseconds, _cap.Limit, counts.Mean.TotalMilliseconds);
        }
    }
}
