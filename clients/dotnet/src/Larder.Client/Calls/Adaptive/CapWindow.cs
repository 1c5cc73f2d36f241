namespace Larder.Client.Adaptive;

/// <summary>
/// Counts the calls that have ended since the limit was last judged. Thread-safe. One 64-bit field contains three counts: the calls, the calls over the target,
/// and the calls that ended while other calls waited. Counting a call therefore takes only two atomic additions, and a third atomic operation if the call is
/// shorter than all previous calls. Times are ticks of the client's clock.
/// </summary>
internal sealed class CapWindow(long begunAt, long countsFrom)
{
    /// <summary>The maximum number of calls counted per window. Every count must be able to hold this number; the smallest has 20 bits.</summary>
    public const int MaxCalls = 1_000_000;

    private const int OverShift = 24;
    private const int WaitedShift = 44;
    private const long CallsMask = (1L << OverShift) - 1;
    private const long OverMask = (1L << (WaitedShift - OverShift)) - 1;

    private long _counts;
    private long _sum;
    private long _least = long.MaxValue;
    private long _firstEndedAt;

    /// <summary>Gets the start of the window.</summary>
    public long BegunAt { get; } = begunAt;

    /// <summary>Gets the time when the limit last changed. Calls that got their permit earlier are not counted (ADAPT-2).</summary>
    public long CountsFrom { get; } = countsFrom;

    public int Calls => (int)(Volatile.Read(ref _counts) & CallsMask);

    public int Over => (int)((Volatile.Read(ref _counts) >> OverShift) & OverMask);

    private int Waited => (int)((ulong)Volatile.Read(ref _counts) >> WaitedShift);

    /// <summary>Counts a call.</summary>
    public void Add(long took, bool isOver, bool othersWaited, long now)
    {
        if (Calls >= MaxCalls)
        {
            return;
        }

        long calls = Interlocked.Add(ref _counts, 1 + (isOver ? 1L << OverShift : 0) + (othersWaited ? 1L << WaitedShift : 0)) & CallsMask;
        if (calls == 1)
        {
            Volatile.Write(ref _firstEndedAt, now);
        }

        Interlocked.Add(ref _sum, took);
        long least = Volatile.Read(ref _least);
        while (took < least)
        {
            long seen = Interlocked.CompareExchange(ref _least, took, least);
            if (seen == least)
            {
                return;
            }

            least = seen;
        }
    }

    /// <summary>Returns the counts up to now. At least one call must have been counted.</summary>
    public CapCounts CountsAt(long now, Func<long, TimeSpan> span)
    {
        int calls = Calls;
        long firstEndedAt = Volatile.Read(ref _firstEndedAt);
        // Another thread may have counted its call but not yet added its duration. The error of the mean is small, because a window has at least a hundred
        // calls.
        return new CapCounts(calls, Over, Waited, span(Volatile.Read(ref _sum) / calls), span(Volatile.Read(ref _least)), span(now - firstEndedAt));
    }
}
