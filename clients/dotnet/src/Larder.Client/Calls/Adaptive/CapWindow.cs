namespace Larder.Client.Adaptive;

/// <summary>
/// Calls that have ended since the cap was last judged, counted by any number of threads: calls, those over the target and those with waiters behind
/// them in one word, so that a call costs two atomic additions. Times are ticks of the client's clock.
/// </summary>
internal sealed class CapWindow(long begunAt, long countsFrom)
{
    /// <summary>Past this many calls none is counted until the window is judged: the least of the word's three fields holds 2^20.</summary>
    public const int MostCalls = 1_000_000;

    private const int OverShift = 24;
    private const int WaitedShift = 44;
    private const long CallsMask = (1L << OverShift) - 1;
    private const long OverMask = (1L << (WaitedShift - OverShift)) - 1;

    private long _counts;
    private long _sum;
    private long _least = long.MaxValue;
    private long _firstEndedAt;

    /// <summary>When it began.</summary>
    public long BegunAt { get; } = begunAt;

    /// <summary>When the cap last changed: calls granted before say nothing about it (ADAPT-2).</summary>
    public long CountsFrom { get; } = countsFrom;

    public int Calls => (int)(Volatile.Read(ref _counts) & CallsMask);

    public int Over => (int)((Volatile.Read(ref _counts) >> OverShift) & OverMask);

    private int Waited => (int)((ulong)Volatile.Read(ref _counts) >> WaitedShift);

    /// <summary>Counts a call.</summary>
    public void Add(long took, bool isOver, bool othersWaited, long now)
    {
        if (Calls >= MostCalls)
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

    /// <summary>What it counted, up to now. Needs a call.</summary>
    public CapCounts CountsAt(long now, Func<long, TimeSpan> span)
    {
        int calls = Calls;
        long firstEndedAt = Volatile.Read(ref _firstEndedAt);
        // A thread may have counted its call and not yet its time: of a hundred calls and more, one.
        return new CapCounts(calls, Over, Waited, span(Volatile.Read(ref _sum) / calls), span(Volatile.Read(ref _least)), span(now - firstEndedAt));
    }
}
