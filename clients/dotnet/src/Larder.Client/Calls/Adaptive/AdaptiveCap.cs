namespace Larder.Client.Adaptive;

/// <summary>
/// Moves the cap on requests in flight so that p99.9 stays at a target (protocol/spec/adaptive-cap.md). More than 1 call in 1,000 over it: shrink by a
/// fifth. Fewer than half as many, and the cap in the way of callers: grow. Where shrinking costs throughput and buys no latency, the target is out of
/// reach (a slow server, not a queue): the cap goes back to the smallest that kept the throughput, says so, and rests.
/// Pure: it is told what a window of calls gave and when, and reads no clock. One thread at a time.
/// </summary>
internal sealed class AdaptiveCap
{
    /// <summary>The cap to begin with, where it may be that large: twice the callers of a small service, a fraction of any tuned cap.</summary>
    public const int Initial = 16;

    /// <summary>No window is judged younger: a garbage collection of a few milliseconds is not a window.</summary>
    public static readonly TimeSpan LeastAge = TimeSpan.FromMilliseconds(100);

    // 2,000 calls hold two that may exceed the target: the fewest of which one more or less is no accident.
    private const int FullCalls = 2_000;
    private const int FewCalls = 100;
    private const int CallsPerViolation = 1_000;
    private static readonly TimeSpan FewCallsAge = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan FirstRest = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LongestRest = TimeSpan.FromSeconds(40);

    // At most as many as it takes fifths to get from 100,000 to 1: about fifty.
    private readonly List<CapTrial> _episode = [];
    private int _most;
    private int _quickBelow;
    private TimeSpan _least = TimeSpan.MaxValue;
    private TimeSpan _rest = FirstRest;
    private TimeSpan _restUntil = TimeSpan.MinValue;

    /// <param name="most">The largest cap: at least 1.</param>
    public AdaptiveCap(int most)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(most, 1);
        _most = most;
        _quickBelow = most;
        Limit = Math.Min(Initial, most);
    }

    /// <summary>The cap now.</summary>
    public int Limit { get; private set; }

    /// <summary>What is known of the target.</summary>
    public AdaptiveCapState State { get; private set; }

    /// <summary>Whether a window of this many calls is judged now (ADAPT-3).</summary>
    public bool IsDue(int calls, int over, TimeSpan age)
    {
        if (age < LeastAge)
        {
            return false;
        }

        // Four times the budget is beyond doubt already after two rounds of all permits.
        bool beyondDoubt = over >= 4 && (long)over * CallsPerViolation > 4L * calls && calls >= 2L * Limit;
        return calls >= FullCalls || beyondDoubt || (age >= FewCallsAge && calls >= FewCalls);
    }

    /// <summary>Judges a window: the cap may change, and the state.</summary>
    public void Judge(in CapCounts window, TimeSpan now)
    {
        _least = window.Least < _least ? window.Least : _least;
        if ((long)window.Over * CallsPerViolation <= window.Calls)
        {
            KeepOrGrow(window);
        }
        else if (now >= _restUntil)
        {
            Shrink(new CapTrial(Limit, window), now);
        }
    }

    /// <summary>Calls take another way from now on, which has another bound.</summary>
    public void ChangeMost(int most)
    {
        _most = most;
        Limit = Math.Min(Limit, most);
    }

    private void KeepOrGrow(in CapCounts window)
    {
        _episode.Clear();
        _rest = FirstRest;
        _restUntil = TimeSpan.MinValue;
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

    // Little's law: fewer in flight than throughput × the least time that a call ever took cannot carry that throughput.
    private int Floor(CapTrial trial) => (int)Math.Clamp(Math.Ceiling(trial.Gave.CallsPerSecond * _least.TotalSeconds), 1, Limit);

    private void GiveUp(TimeSpan now)
    {
        if (State != AdaptiveCapState.OutOfReach)
        {
            // The server may be itself again soon: then back quickly, to a step below the cap that was too large.
            _quickBelow = _episode[0].Limit * 4 / 5;
        }

        double best = _episode.Max(static trial => trial.Gave.CallsPerSecond);
        Limit = _episode.Where(trial => trial.Gave.CallsPerSecond >= best * CapTrial.Kept).Min(static trial => trial.Limit);
        _episode.Clear();
        State = AdaptiveCapState.OutOfReach;
        _restUntil = now + _rest;
        _rest = _rest * 2 < LongestRest ? _rest * 2 : LongestRest;
    }
}
