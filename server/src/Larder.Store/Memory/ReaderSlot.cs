using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Larder.Store;

/// <summary>A thread's slot in a store's epochs, with its own counters of lookups and overwrites per cache. Only this thread writes to the slot.</summary>
internal sealed class ReaderSlot(Epochs owner)
{
    // The number of counters per cache: hits, misses and sets, in the order of AccessKind.
    private const int CountersPerCache = 3;

    // The number of unused counters before the first and after the last counter: one cache line. The padding prevents data of other threads from sharing a
    // cache line with the counters.
    private const int Padding = 8;

    // The number of sampled accesses that are passed to the estimate together.
    private const int SamplesPerBatch = 64;

    private readonly AccessSample[] _samples = new AccessSample[SamplesPerBatch];
    private int _sampled;
    private State _state;
    private long[] _counters = new long[(2 * Padding) + (8 * CountersPerCache)];

    public Epochs Owner { get; } = owner;

    /// <summary>The epoch in which this thread is reading; 0 if it is not reading.</summary>
    public long Epoch => Volatile.Read(ref _state.Epoch);

    /// <summary>Starts a read. Until <see cref="Exit"/>, memory that this thread can still reach in the store is not reused. Calls can be nested.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter()
    {
        if (_state.Depth++ == 0)
        {
            Volatile.Write(ref _state.Epoch, Owner.Now);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Exit()
    {
        if (--_state.Depth == 0)
        {
            Volatile.Write(ref _state.Epoch, 0);
        }
    }

    /// <summary>Subtracts one access of this kind, which this thread has counted before.</summary>
    public void TakeBack(int cacheOrdinal, AccessKind kind) => _counters[IndexOf(cacheOrdinal, kind)]--;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Count(int cacheOrdinal, AccessKind kind)
    {
        int at = IndexOf(cacheOrdinal, kind);
        long[] counters = _counters;
        if (at + Padding < counters.Length)
        {
            counters[at]++;
        }
        else
        {
            Grow(at)[at]++;
        }
    }

    /// <summary>Records an access to a sampled key.</summary>
    public void Sample(ShadowEstimate shadow, AccessSample access)
    {
        _samples[_sampled++] = access;
        if (_sampled == SamplesPerBatch)
        {
            _sampled = 0;
            shadow.Play(_samples);
        }
    }

    /// <summary>Returns the number of accesses of this kind that this thread has counted for a cache. Sets that took a shard's lock are not included.</summary>
    public long CountOf(int cacheOrdinal, AccessKind kind) => Read(IndexOf(cacheOrdinal, kind));

    private static int IndexOf(int cacheOrdinal, AccessKind kind) => Padding + (cacheOrdinal * CountersPerCache) + (int)kind;

    private long Read(int at)
    {
        long[] counters = Volatile.Read(ref _counters);
        return at < counters.Length ? Volatile.Read(ref counters[at]) : 0;
    }

    private long[] Grow(int at)
    {
        long[] larger = new long[Math.Max(_counters.Length * 2, at + Padding + 1)];
        _counters.CopyTo(larger, 0);
        Volatile.Write(ref _counters, larger);
        return larger;
    }

    [StructLayout(LayoutKind.Explicit, Size = 192)]
    private struct State
    {
        [FieldOffset(64)]
        public long Epoch;

        [FieldOffset(72)]
        public int Depth;
    }
}
