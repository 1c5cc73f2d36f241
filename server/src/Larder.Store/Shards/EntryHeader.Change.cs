using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>
/// Changes to a published entry in place. A thread that changes, moves or removes an entry holds the entry's lock, which is a bit of the entry's state. After a
/// change, it increments the entry's version. Readers usually take no lock. They copy the value, and copy it again if the version has changed or a change was
/// in progress. A value is overwritable only if it replaced another value when it was written. Most values are set only once, so they are fixed and are read
/// without a copy. There are 4,096 versions, and an entry never uses a version twice. When an entry has used all its versions, it is written again at another
/// address. The old memory is not reused while readers may access it.
/// </summary>
internal unsafe partial struct EntryHeader
{
    /// <summary>
    /// The maximum length of an overwritable value, in bytes. Longer values are always fixed, because copying them for each read would cost more than writing a
    /// new entry for each set.
    /// </summary>
    public const int MaxCopiedValueBytes = 1024;

    private const uint OverwritableBit = 1u << 23;
    private const uint DeadBit = 1u << LowKeyLengthBits;
    private const uint LockedBit = DeadBit << 1;
    private const uint ChangingBit = DeadBit << 2;
    private const uint VersionStep = DeadBit << 3;

    // The version bits allow 4,095 changes of an entry. For the next change, a new entry is written.
    private const uint VersionMask = ~(VersionStep - 1);

    // The number of copies that a reader tries before it takes the lock. A change takes about as long as a copy.
    private const int MaxOptimisticReads = 16;

    // The number of times that a writer checks a locked entry before it uses the shard's lock instead.
    private const int MaxReadAttempts = 64;

    /// <summary>Whether the value never changes. If so, a reader can use the value directly as long as the reader stays in its epoch.</summary>
    public readonly bool IsFixed => (_lengths & OverwritableBit) == 0;

    /// <summary>Whether the lock is held.</summary>
    public readonly bool Locked => (_state & (LockedBit | ChangingBit)) != 0;

    /// <summary>Whether the entry has an unused version for another change in place. The caller must hold the lock.</summary>
    public readonly bool CanChange => (_state & VersionMask) != VersionMask;

    /// <summary>Takes the entry's lock. The caller must hold it only for about as long as it takes to copy an entry.</summary>
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

    /// <summary>
    /// Releases the lock of an entry that was not changed. Does nothing for null. Does nothing for a removed entry either, because the lock was released when
    /// the entry was removed.
    /// </summary>
    public static void Unlock(EntryHeader* at)
    {
        if (at != null && !at->Dead)
        {
            Volatile.Write(ref at->_state, at->_state & ~LockedBit);
        }
    }

    /// <summary>Marks the entry as removed, which is permanent, and releases its lock.</summary>
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
                // An earlier expiry requires a different position in the expiry wheel, and an expired entry must be removed first. Both require the shard's
                // lock.
                bool may = at->ExpiresAtMs > nowMs && at->ExpiresAtMs <= expiresAtMs;
                if (may)
                {
                    Overwrite(at, expiresAtMs, value);
                    // The overwrite counts as a hit, because the entry keeps its position in its queue, while a new entry would be added at the newest end.
                    // Count it before the lock is released, while this processor still has exclusive access to the cache line.
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

    /// <summary>Copies the value and returns the expiry time that belongs to it.</summary>
    /// <param name="at">The entry, which must have been found within the current epoch.</param>
    /// <param name="value">Receives the value. Its length must be the length of the value, or 0.</param>
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

    // A copy is consistent if no change was in progress before it and no change has begun since then.
    private static bool IsUnchanged(uint before, uint after) => (before & ChangingBit) == 0 && ((before ^ after) & (VersionMask | ChangingBit)) == 0;

    // Releases a lock that a reader has taken. If the entry was removed earlier, it stays marked as removed.
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
