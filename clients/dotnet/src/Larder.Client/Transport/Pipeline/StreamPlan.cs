namespace Larder.Client.Pipeline;

/// <summary>
/// Decides how many streams the pipelined transport has, and how many calls each stream moves to the others. Each stream has its own connection, whose thread
/// reads the responses and resumes the callers. So one stream uses at most one processor. The decisions depend only on the arguments, not on a clock or a
/// network. It is not thread-safe.
/// </summary>
/// <param name="least">The minimum number of streams, at least 1.</param>
/// <param name="most">The maximum number of streams.</param>
internal sealed class StreamPlan(int least, int most)
{
    /// <summary>The interval of the decisions.</summary>
    public static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(50);

    /// <summary>The wait after an attempt to open an additional stream that failed. It doubles with each further failure.</summary>
    public static readonly TimeSpan FirstWait = TimeSpan.FromSeconds(1);

    /// <summary>The maximum wait after a failed attempt.</summary>
    public static readonly TimeSpan MaxWait = TimeSpan.FromMinutes(1);

    /// <summary>The maximum number of streams if the number is automatic. Larger numbers were not measured.</summary>
    public const int MaxAutomatic = 8;

    /// <summary>The number of busy intervals in a row after which a stream is opened: 200 ms. A pause of the garbage collector is shorter.</summary>
    public const int BusyIntervals = 4;

    /// <summary>The number of quiet intervals in a row after which a stream is closed: 1 min.</summary>
    public const int QuietIntervals = 1_200;

    // The share of the time for which the streams' threads must be busy before another stream is opened.
    private const double BusyShare = 0.8;

    // The streams are quiet if all work would fit into one stream fewer, and the threads of the remaining streams would be busy for at most this share of the
    // time.
    private const double QuietShare = 0.3;

    // With fewer calls in flight per stream, the callers and not the stream limit the throughput.
    private const int MinCalls = 16;

    // The maximum number of streams that are opened at the same time.
    private const int MaxOpening = 2;

    private TimeSpan _waitsUntil;
    private TimeSpan _failedAt;
    private int _failures;
    private int _busy;
    private int _quiet;

    /// <summary>Gets the minimum number of streams.</summary>
    public int Least => least;

    /// <summary>Gets the maximum number of streams.</summary>
    public int Most => most;

    /// <summary>
    /// Creates the plan for one server or gateway. A configured number is exact. With 0, the number is between 1 and half of the processors, divided among the
    /// gateways, at most <see cref="MaxAutomatic"/>.
    /// </summary>
    public static StreamPlan Of(int configured, int processors, int gateways) =>
        configured > 0 ? new StreamPlan(configured, configured) : new StreamPlan(1, Math.Clamp(processors / 2 / gateways, 1, MaxAutomatic));

    /// <summary>
    /// Returns the difference between the number of streams that the client should have and the number that it has: positive if streams must be opened, -1 if
    /// one must be closed. Sets <see cref="StreamUse.CallsToMove"/> of each stream.
    /// </summary>
    /// <param name="streams">The use of each open stream since the last decision. There is at least one.</param>
    /// <param name="opening">The number of streams that are being opened.</param>
    /// <param name="now">The time since any fixed moment.</param>
    public int Decide(Span<StreamUse> streams, int opening, TimeSpan now)
    {
        Balance(streams);
        double busy = 0;
        int calls = 0;
        foreach (StreamUse use in streams)
        {
            busy += use.Busy;
            calls += use.MostCalls;
        }

        _busy = busy > BusyShare * streams.Length && calls >= MinCalls * streams.Length ? _busy + 1 : 0;
        _quiet = busy <= QuietShare * (streams.Length - 1) ? _quiet + 1 : 0;
        int count = streams.Length + opening;
        bool mayOpen = opening < MaxOpening && now >= _waitsUntil;
        if (count < least)
        {
            return mayOpen ? Math.Min(least - count, MaxOpening - opening) : 0;
        }

        if (count < most && opening == 0 && mayOpen && _busy >= BusyIntervals)
        {
            _busy = 0;
            return 1;
        }

        bool isTooMany = streams.Length > most && opening == 0;
        if (isTooMany || (streams.Length > least && _quiet >= QuietIntervals))
        {
            _quiet = 0;
            return -1;
        }

        return 0;
    }

    /// <summary>
    /// Records that an additional stream could not be opened or was lost soon after it opened. Returns the time until the next attempt. Several failures before
    /// the next attempt count as one.
    /// </summary>
    public TimeSpan Failed(TimeSpan now)
    {
        if (now < _waitsUntil)
        {
            return _waitsUntil - now;
        }

        _failures = now - _failedAt > 2 * MaxWait ? 0 : _failures;
        TimeSpan wait = FirstWait * Math.Pow(2, Math.Min(_failures++, 10));
        wait = wait < MaxWait ? wait : MaxWait;
        _failedAt = now;
        _waitsUntil = now + wait;
        return wait;
    }

    /// <summary>Records that the first stream was opened again. Earlier failures then say nothing about the server.</summary>
    public void Reset() => (_failures, _waitsUntil) = (0, TimeSpan.Zero);

    // Callers that make one call after another stay on the stream that resumes them. So a new stream would get no calls from them, and the first stream would
    // keep most of the load. Each stream moves half of the calls that it has above the mean; the mean is then reached in a few intervals.
    private static void Balance(Span<StreamUse> streams)
    {
        int calls = 0;
        foreach (StreamUse use in streams)
        {
            calls += use.MostCalls;
        }

        int mean = calls / streams.Length;
        foreach (ref StreamUse use in streams)
        {
            int above = use.MostCalls - mean;
            use.CallsToMove = above > Math.Max(4, mean / 4) ? above / 2 : 0;
        }
    }
}
