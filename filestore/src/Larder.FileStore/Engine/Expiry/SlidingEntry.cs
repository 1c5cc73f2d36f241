namespace Larder.FileStore.Engine;

/// <summary>An entry whose deadline moves each time the entry is read, but never beyond <see cref="CapMs"/>.</summary>
internal sealed class SlidingEntry : Entry
{
    internal readonly long SlidingMs;

    /// <summary>The absolute expiration that limits the sliding expiration, in Unix ms UTC; 0 for none.</summary>
    internal readonly long CapMs;
    internal readonly long CapTick;
    private long _deadline;
    private long _writtenDeadline;
    private int _pending;

    internal SlidingEntry(string key, object? value, int hash, long slidingMs, long capMs, long capTick, long deadline)
        : base(key, value, hash)
    {
        SlidingMs = slidingMs;
        CapMs = capMs;
        CapTick = capMs == 0 ? Never : capTick;
        _deadline = deadline;
        _writtenDeadline = deadline;
        ExpiryTick = long.MinValue;
    }

    internal override long Deadline => Volatile.Read(ref _deadline);

    /// <summary>Moves the deadline for a read at <paramref name="nowTick"/>. Returns true if the caller must queue the entry for writing.</summary>
    internal bool Touch(long nowTick)
    {
        long moved = Math.Min(nowTick + SlidingMs, CapTick);
        if (moved <= Volatile.Read(ref _deadline))
        {
            return false;
        }
        Volatile.Write(ref _deadline, moved);
        return TryQueue();
    }

    /// <summary>Returns true to the first caller only, until <see cref="Unqueue"/> is called. The caller that gets true must queue the entry.</summary>
    internal bool TryQueue() => Volatile.Read(ref _pending) == 0 && Interlocked.Exchange(ref _pending, 1) == 0;

    /// <summary>
    /// Returns whether the deadline must be written to the file now. This is the case if the deadline moved by at least a twentieth of the sliding time, or if
    /// the deadline in the file, which other processes use, is within <paramref name="horizonMs"/>.
    /// </summary>
    internal bool MustBeWritten(long nowTick, long horizonMs) =>
        Deadline - _writtenDeadline >= Math.Max(SlidingMs / 20, 1) || _writtenDeadline - nowTick <= horizonMs;

    internal void Unqueue() => Volatile.Write(ref _pending, 0);

    /// <summary>Records that the file now contains <paramref name="deadline"/>.</summary>
    internal void Written(long deadline)
    {
        _writtenDeadline = Math.Max(_writtenDeadline, deadline);
        if (deadline > Volatile.Read(ref _deadline))
        {
            Volatile.Write(ref _deadline, deadline);
        }
    }
}
