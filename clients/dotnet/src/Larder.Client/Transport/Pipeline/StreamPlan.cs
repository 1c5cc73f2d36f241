namespace Larder.Client.Pipeline;

/// <summary>
/// Decides how many streams the pipelined transport has, and how many calls each stream passes on to the others. Each stream has its own connection, whose
/// thread reads the responses and resumes the callers. So one stream uses at most one processor. The decisions depend only on the arguments, not on a clock or a
/// network. It is not thread-safe.
/// </summary>
/// <param name="least">The minimum number of streams, at least 1.</param>
/// <param name="most">The maximum number of streams.</param>
internal sealed class StreamPlan(int least, int most)
{
    /// <summary>The interval of the decisions.</summary>
    public static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(50);

    /// <summary>The time that all streams must be quiet before one of them is closed.</summary>
    public static readonly TimeSpan QuietTime = TimeSpan.FromMinutes(1);

    /// <summary>The wait after the first attempt to open an additional stream that failed. It doubles with each further failure.</summary>
    public static readonly TimeSpan FirstWait = TimeSpan.FromSeconds(1);

    /// <summary>The longest wait after a failed attempt.</summary>
    public static readonly TimeSpan LongestWait = TimeSpan.FromMinutes(1);

    /// <summary>The maximum number of streams if the number is automatic. Larger numbers were not measured.</summary>
    public const int MostAutomatic = 8;

    // The share of the time for which the streams' threads must be busy before another stream is opened.
    private const double BusyShare = 0.8;

    // The streams are quiet if all work would fit into one stream fewer, and the threads of those would be busy for at most this share of the time.
    private const double QuietShare = 0.3;

    // With fewer calls in flight per stream, another stream has no effect, because each read then contains few responses.
    private const int LeastCalls = 16;

    // The number of intervals after a change in which no further stream is opened, because the last one has no calls yet.
    private const int SettlingIntervals = 2;

    private TimeSpan? _quietSince;
    private TimeSpan _waitsUntil;
    private int _failures;
    private int _settling;

    /// <summary>Gets the minimum number of streams.</summary>
    public int Least => least;

    /// <summary>Gets the maximum number of streams.</summary>
    public int Most => most;

    /// <summary>Creates the plan of a client. A configured number is exact. With 0, the number is between 1 and half of the processors, at most 8.</summary>
    public static StreamPlan Of(int configured, int processors) =>
        configured > 0 ? new StreamPlan(configured, configured) : new StreamPlan(1, Math.Clamp(processors / 2, 1, MostAutomatic));

    /// <summary>
    /// Returns the difference between the number of streams that the client should have and the number that it has: positive if streams must be opened, -1 if
    /// one must be closed. Sets <see cref="StreamUse.PassesOn"/> of each stream.
    /// </summary>
    /// <param name="streams">The use of each open stream since the last decision. There is at least one.</param>
    /// <param name="opening">The number of streams that are being opened.</param>
    /// <param name="now">The time since any fixed moment.</param>
    public int Decide(Span<StreamUse> streams, int opening, TimeSpan now)
    {
        Balance(streams);
        _settling = Math.Max(0, _settling - 1);
        double busy = 0;
        int calls = 0;
        foreach (StreamUse use in streams)
        {
            busy += use.Busy;
            calls += use.MostCalls;
        }

        int count = streams.Length + opening;
        if (count < least)
        {
            return now >= _waitsUntil ? Changed(least - count) : 0;
        }

        bool isBusy = busy > BusyShare * streams.Length && calls >= LeastCalls * streams.Length;
        if (isBusy && count < most && opening == 0 && _settling == 0 && now >= _waitsUntil)
        {
            return Changed(1);
        }

        bool isQuiet = count > least && busy <= QuietShare * (streams.Length - 1);
        _quietSince = isQuiet ? _quietSince ?? now : null;
        return count > most || (isQuiet && now - _quietSince >= QuietTime) ? Changed(-1) : 0;
    }

    /// <summary>Records that an additional stream was opened.</summary>
    public void Opened()
    {
        _failures = 0;
        _settling = SettlingIntervals;
    }

    /// <summary>Records that an additional stream could not be opened. Returns the wait before the next attempt.</summary>
    public TimeSpan Failed(TimeSpan now)
    {
        TimeSpan wait = FirstWait * Math.Pow(2, Math.Min(_failures++, 10));
        wait = wait < LongestWait ? wait : LongestWait;
        _waitsUntil = now + wait;
        return wait;
    }

    // Callers that make one call after another stay on the stream that resumes them. So a new stream would get no calls from them, and the first stream would
    // keep most of the load. Each stream passes on half of the calls that it has above the mean; the mean is then reached in a few intervals.
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
            use.PassesOn = above > Math.Max(4, mean / 4) ? above / 2 : 0;
        }
    }

    private int Changed(int difference)
    {
        _quietSince = null;
        return difference;
    }
}
