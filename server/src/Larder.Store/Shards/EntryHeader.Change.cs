using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>
/// Changes to a published entry in place. A thread that changes, moves or removes an entry holds its lock, a bit of its state, and increments its version
/// after a change. Readers take no lock: they copy the value, and copy it again if the version has changed or a change was in progress. A value is
/// overwritable only if it replaced another one when it was written; most values are set once, are fixed and are read without a copy. There are 4,096
/// versions, and none is used twice. When an entry has used all its versions, it is written again at another address; its memory is not reused while readers
/// may access it.
/// </summary>
internal unsafe partial struct EntryHeader
{
    /// <summary>Longer values, in bytes, are always fixed: copying them for each read would cost more than writing them as new entries.</summary>
    public const int MaxCopiedValueBytes = 1024;

    private const uint OverwritableBit = 1u << 23;
    private const uint DeadBit = 1u << LowKeyLengthBits;
    private const uint LockedBit = DeadBit << 1;
    private const uint ChangingBit = DeadBit << 2;
    private const uint VersionStep = DeadBit << 3;

    // Allows 4,095 changes of an entry; then it is written as a new entry.
    private const uint VersionMask = ~(VersionStep - 1);

    // Number of copies that a reader tries before it takes the lock. A change takes about as long as a copy.
    private const int MaxOptimisticReads = 16;

    // Number of times a writer checks a locked entry before it falls back to the shard's lock.
    private const int MaxReadAttempts = 64;

    /// <summary>Whether the value never changes. If so, a reader can use it directly as long as it stays in its epoch.</summary>
    public readonly bool IsFixed => (_lengths & OverwritableBit) == 0;

    /// <summary>Whether the lock is held.</summary>
    public readonly bool Locked => (_state & (LockedBit | ChangingBit)) != 0;

    /// <summary>Whether the entry has an unused version left for another change in place. Requires the lock.</summary>
    public readonly bool CanChange => (_state & VersionMask) != VersionMask;

    /// <summary>Takes the entry's lock. It must be held only for about as long as copying an entry takes.</summary>
    public static void Lock(EntryHeader* at)
    {
        SpinWait wait = default;
        while (true)
        {
            uint state = Volatile.Read(ref at->_state) & ~(LockedBit | ChangingBit);
            if (Interlocked.CompareExchange(ref at->_state, state | LockedBit, state) == state)
            {
                return;
            }

            wait.SpinOnce(sleep1Threshold: -1);
        }
    }

    /// <summary>Releases the lock if nothing was changed. Does nothing for null or for a removed entry, whose lock is already released.</summary>
    public static void Unlock(EntryHeader* at)
    {
        if (at != null && !at->Dead)
        {
            Volatile.Write(ref at->_state, at->_state & ~LockedBit);
        }
    }

    /// <summary>Marks the entry as removed, permanently, and releases its lock.</summary>
    public static void UnlockDead(EntryHeader* at) => Volatile.Write(ref at->_state, (at->_state | DeadBit) & ~LockedBit);

    /// <summary>Changes the expiry and value. The caller holds the lock, and <see cref="CanChange"/> must be true.</summary>
    /// <param name="at">The entry.</param>
    /// <param name="expiresAtMs">The new expiry time.</param>
    /// <param name="value">The new value, of the same length; empty to keep the current value.</param>
    public static void Change(EntryHeader* at, long expiresAtMs, ReadOnlySpan<byte> value)
    {
        uint state = at->_state;
        Volatile.Write(ref at->_state, state | ChangingBit);
        Volatile.WriteBarrier();
        Overwrite(at, expiresAtMs, value);
        Volatile.Write(ref at->_state, state + VersionStep);
    }

    /// <summary>
    /// Overwrites a live entry in place, within an epoch and without the shard's lock. The value must be overwritable and have the same length, and the new
    /// expiry must not be earlier.
    /// </summary>
    /// <returns>False if the entry was not overwritten and nothing was changed.</returns>
    public static bool TryOverwrite(EntryHeader* at, long nowMs, long expiresAtMs, ReadOnlySpan<byte> value)
    {
        for (int look = 0; look < MaxReadAttempts; look++)
        {
            uint state = Volatile.Read(ref at->_state);
            if ((state & DeadBit) != 0 || (state & VersionMask) == VersionMask)
            {
                return false;
            }

            if ((state & LockedBit) == 0 && Interlocked.CompareExchange(ref at->_state, state | LockedBit | ChangingBit, state) == state)
            {
                // An earlier expiry requires a different place in the expiry wheel, and an expired entry must be removed first. Both need the shard's lock.
                bool may = at->ExpiresAtMs > nowMs && at->ExpiresAtMs <= expiresAtMs;
                if (may)
                {
                    Overwrite(at, expiresAtMs, value);
                    // Counts as a hit: the entry keeps its place in its queue, whereas a new entry would move to the young end. Do it before the lock is
                    // released, while this processor still owns the cache line.
                    Touch(at);
                }

                Volatile.Write(ref at->_state, may ? state + VersionStep : state);
                return may;
            }

            Thread.SpinWait(1);
        }

        return false;
    }

    /// <summary>Returns the entry's expiry time.</summary>
    public static long ReadExpiry(EntryHeader* at) => Read(at, default);

    /// <summary>Copies the value and returns the matching expiry time.</summary>
    /// <param name="at">The entry; must have been found within the current epoch.</param>
    /// <param name="value">Receives the value: as long as the value, or empty.</param>
    /// <returns>The entry's expiry time.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Read(EntryHeader* at, Span<byte> value)
    {
        uint before = Volatile.Read(ref at->_state);
        long expiresAtMs = at->ExpiresAtMs;
        Value(at)[..value.Length].CopyTo(value);
        Volatile.ReadBarrier();
        return IsUnchanged(before, at->_state) ? expiresAtMs : ReadAgain(at, value);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long ReadAgain(EntryHeader* at, Span<byte> value)
    {
        long expiresAtMs;
        for (int attempt = 1; attempt < MaxOptimisticReads; attempt++)
        {
            Thread.SpinWait(1);
            uint before = Volatile.Read(ref at->_state);
            expiresAtMs = at->ExpiresAtMs;
            Value(at)[..value.Length].CopyTo(value);
            Volatile.ReadBarrier();
            if (IsUnchanged(before, at->_state))
            {
                return expiresAtMs;
            }
        }

        Lock(at);
        expiresAtMs = at->ExpiresAtMs;
        Value(at)[..value.Length].CopyTo(value);
        Release(at);
        return expiresAtMs;
    }

    // A copy is consistent if no change was in progress before it and none has begun since.
    private static bool IsUnchanged(uint before, uint after) => (before & ChangingBit) == 0 && ((before ^ after) & (VersionMask | ChangingBit)) == 0;

    // Releases a lock taken by a reader. The entry may have been removed before, and its dead bit is kept.
    private static void Release(EntryHeader* at) => Volatile.Write(ref at->_state, at->_state & ~LockedBit);

    private static void Overwrite(EntryHeader* at, long expiresAtMs, ReadOnlySpan<byte> value)
    {
        at->_expiryAndSpace = ((ulong)expiresAtMs << ExpiryShift) | (at->_expiryAndSpace & ((1ul << ExpiryShift) - 1));
        if (!value.IsEmpty)
        {
            value.CopyTo(new Span<byte>((byte*)(at + 1) + at->KeyLength, value.Length));
        }
    }
}
