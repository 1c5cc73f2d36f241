namespace Larder.Client.Adaptive;

/// <summary>
/// Adapts the limit on requests in flight so that p99.9 stays at a target (protocol/spec/adaptive-cap.md). If more than 1 call in 1,000 exceeds the target, the
/// limit shrinks by a fifth. If less than half this fraction exceeds the target and callers wait for permits, the limit grows. If shrinking reduces throughput
/// without reducing latency, the target is out of reach, because the latency is caused by a slow server and not by a queue. In that case the limit returns to
/// the smallest value that did not reduce the throughput, the state becomes OutOfReach, and the limit does not shrink during a pause. This class does not
/// measure anything: the caller passes the counts of a window and the time. Not thread-safe.
/// </summary>
internal sealed class AdaptiveCap
{
    /// <summary>
    /// The initial limit, unless the maximum is lower. The value is twice the typical number of callers in a small service, and lower than typical tuned
    /// limits.
    /// </summary>
    public const int Initial = 16;

    /// <summary>
    /// The minimum age of a window before it is judged. Without this minimum, a garbage collection of a few milliseconds could change the limit.
    /// </summary>
    public static readonly TimeSpan MinAge = TimeSpan.FromMilliseconds(100);

    // In a window of 2,000 calls, two calls may exceed the target. In a much smaller window, a single slow call would decide the result.
    private const int FullCalls = 2_000;
    private const int FewCalls = 100;
    private const int CallsPerViolation = 1_000;
    private static readonly TimeSpan FewCallsAge = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(40);

    // The limits that exceeded the target since the last window within the budget. There are at most about fifty, because fifty reductions of 20 % lower the
    // limit from 100,000 to 1.
    private readonly List<CapTrial> _episode = [];
    private int _most;
    private int _quickBelow;
    private TimeSpan _least = TimeSpan.MaxValue;
    private TimeSpan _rest = FirstPause;
    private TimeSpan _pauseUntil = TimeSpan.MinValue;

    /// <param name="most">The maximum limit, at least 1.</param>
    public AdaptiveCap(int most)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(most, 1);
        _most = most;
        _quickBelow = most;
        Limit = Math.Min(Initial, most);
    }

    /// <summary>Gets the current limit.</summary>
    public int Limit { get; private set; }

    /// <summary>Gets the state of the limit, according to the last window that was judged.</summary>
    public AdaptiveCapState State { get; private set; }

    /// <summary>Returns whether a window with this many calls should be judged now (ADAPT-3).</summary>
    public bool IsDue(int calls, int over, TimeSpan age)
    {
        if (age < MinAge)
        {
            return false;
        }

        // If more than four times as many calls as permitted exceed the target, the window is judged early. It then needs only twice as many calls as the
        // limit.
        bool beyondDoubt = over >= 4 && (long)over * CallsPerViolation > 4L * calls && calls >= 2L * Limit;
        return calls >= FullCalls || beyondDoubt || (age >= FewCallsAge && calls >= FewCalls);
    }

    /// <summary>Judges a window and updates the limit and the state.</summary>
    public void Judge(in CapCounts window, TimeSpan now)
    {
        _least = window.Least < _least ? window.Least : _least;
        if ((long)window.Over * CallsPerViolation <= window.Calls)
        {
            KeepOrGrow(window);
        }
        else if (now >= _pauseUntil)
        {
            Shrink(new CapTrial(Limit, window), now);
        }
    }

    /// <summary>Sets a new maximum for the limit. Called when calls switch to another transport.</summary>
    public void ChangeMost(int most)
    {
        _most = most;
        Limit = Math.Min(Limit, most);
    }

    private void KeepOrGrow(in CapCounts window)
    {
        _episode.Clear();
        _rest = FirstPause;
        _pauseUntil = TimeSpan.MinValue;
        State = AdaptiveCapState.Steady;
        bool wellUnder = 2L * window.Over * CallsPerViolation < window.Calls;
        if (wellUnder && 2L * window.Waited >= window.Calls)
        {
            Limit = Math.Min(_most, Limit < _quickBelow ? Math.Min(_quickBelow, Limit + ((Limit + 1) / 2)) : Limit + ((Limit + 19) / 20));
        }
    }

    private void Shrink(CapTrial trial, TimeSpan now)
    {
        CapTrial? before = _episode.Count > 0 ? _episode[^1] : null;
        _episode.Add(trial);
        int floor = Floor(trial);
        if ((before is not null && !trial.HelpedAfter(before)) || Limit == floor)
        {
            GiveUp(now);
            return;
        }

        Limit = Math.Max(floor, Limit * 4 / 5);
        if (State == AdaptiveCapState.Steady)
        {
            State = AdaptiveCapState.Shrinking;
            _quickBelow = 0;
        }
    }

    // Returns the lower bound of the limit. By Little's law, this is the throughput multiplied by the minimum latency. Fewer calls in flight cannot sustain the
    // throughput.
    private int Floor(CapTrial trial) => (int)Math.Clamp(Math.Ceiling(trial.Gave.CallsPerSecond * _least.TotalSeconds), 1, Limit);

    private void GiveUp(TimeSpan now)
    {
        if (State != AdaptiveCapState.OutOfReach)
        {
            // If the server recovers, the limit first grows quickly, up to 20 % below the first limit that was too large.
            _quickBelow = _episode[0].Limit * 4 / 5;
        }

        double best = _episode.Max(static trial => trial.Gave.CallsPerSecond);
        Limit = _episode.Where(trial => trial.Gave.CallsPerSecond >= best * CapTrial.Kept).Min(static trial => trial.Limit);
        _episode.Clear();
        State = AdaptiveCapState.OutOfReach;
        _pauseUntil = now + _rest;
        _rest = _rest * 2 < MaxPause ? _rest * 2 : MaxPause;
    }
}
