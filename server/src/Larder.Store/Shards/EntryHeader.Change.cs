using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>
/// Changing a published entry where it stands. Whoever changes an entry, moves it or removes it holds its lock, a bit of its state, and
/// leaves a new version behind after a change. Readers take no lock: they copy out, and copy again if the version has moved on or a
/// change was under way. Only a value that replaced another when it was written is taken for one that will be replaced again: the many
/// that are set once are fixed, and read without a copy. There are 4,096 versions, and none is used twice: an entry that has used up its
/// own is written anew at another address, and its memory is not used again while a reader may look at it.
/// </summary>
internal unsafe partial struct EntryHeader
{
    /// <summary>Values longer than this, in bytes, are always fixed: copying them out would cost more than writing them anew.</summary>
    public const int MaxCopiedValueBytes = 1024;

    private const uint OverwritableBit = 1u << 23;
    private const uint DeadBit = 1u << LowKeyLengthBits;
    private const uint LockedBit = DeadBit << 1;
    private const uint ChangingBit = DeadBit << 2;
    private const uint VersionStep = DeadBit << 3;

    // 4,095 changes of an entry; then it is written anew.
    private const uint VersionMask = ~(VersionStep - 1);

    // Copies that a reader tries before it takes the lock: a change takes about as long as a copy.
    private const int MaxOptimisticReads = 16;

    // Looks at a locked entry before its writer goes the slow way instead.
    private const int MaxLooks = 64;

    /// <summary>Whether the value never changes: a reader may look at it as long as it stays in its epoch.</summary>
    public readonly bool IsFixed => (_lengths & OverwritableBit) == 0;

    /// <summary>Whether somebody holds the lock.</summary>
    public readonly bool Locked => (_state & (LockedBit | ChangingBit)) != 0;

    /// <summary>Whether a change in place leaves a version that the entry has not had. The lock is held.</summary>
    public readonly bool CanChange => (_state & VersionMask) != VersionMask;

    /// <summary>Takes the entry's lock, held for no longer than it takes to copy an entry.</summary>
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

    /// <summary>Gives the lock back where nothing was changed. Does nothing for null or a removed entry, whose lock is gone already.</summary>
    public static void Unlock(EntryHeader* at)
    {
        if (at != null && !at->Dead)
        {
            Volatile.Write(ref at->_state, at->_state & ~LockedBit);
        }
    }

    /// <summary>Marks the entry removed, for good, and gives its lock back.</summary>
    public static void UnlockDead(EntryHeader* at) => Volatile.Write(ref at->_state, (at->_state | DeadBit) & ~LockedBit);

    /// <summary>Changes expiry and value. The lock is held and stays so; the entry <see cref="CanChange"/>.</summary>
    /// <param name="at">The entry.</param>
    /// <param name="expiresAtMs">When it expires from now on.</param>
    /// <param name="value">As many bytes as its value has; or none, to leave the value as it is.</param>
    public static void Change(EntryHeader* at, long expiresAtMs, ReadOnlySpan<byte> value)
    {
        uint state = at->_state;
        Volatile.Write(ref at->_state, state | ChangingBit);
        Volatile.WriteBarrier();
        Overwrite(at, expiresAtMs, value);
        Volatile.Write(ref at->_state, state + VersionStep);
    }

    /// <summary>
    /// Overwrites a live entry whose value is as long and not fixed, and that does not expire later; called without the shard's lock, inside an epoch.
    /// </summary>
    /// <returns>Whether it was done; if not, nothing was.</returns>
    public static bool TryOverwrite(EntryHeader* at, long nowMs, long expiresAtMs, ReadOnlySpan<byte> value)
    {
        for (int look = 0; look < MaxLooks; look++)
        {
            uint state = Volatile.Read(ref at->_state);
            if ((state & DeadBit) != 0 || (state & VersionMask) == VersionMask)
            {
                return false;
            }

            if ((state & LockedBit) == 0 && Interlocked.CompareExchange(ref at->_state, state | LockedBit | ChangingBit, state) == state)
            {
                // A shorter TTL needs another place in the expiry wheel, and an expired entry is removed first: both under the shard's lock.
                bool may = at->ExpiresAtMs > nowMs && at->ExpiresAtMs <= expiresAtMs;
                if (may)
                {
                    Overwrite(at, expiresAtMs, value);
                    // A hit: the entry keeps its place in its queue, where a new copy would have come to the young end. Before the lock is given back, and the
                    // line with it.
                    Touch(at);
                }

                Volatile.Write(ref at->_state, may ? state + VersionStep : state);
                return may;
            }

            Thread.SpinWait(1);
        }

        return false;
    }

    /// <summary>When the entry expires.</summary>
    public static long ReadExpiry(EntryHeader* at) => Read(at, default);

    /// <summary>Copies the value out, with the expiry that belongs to it.</summary>
    /// <param name="at">The entry, found inside an epoch.</param>
    /// <param name="value">As long as the value, to receive it; or empty.</param>
    /// <returns>When the entry expires.</returns>
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

    // What was copied between two looks at the state is whole if no change was under way at the first and none has begun since.
    private static bool IsUnchanged(uint before, uint after) => (before & ChangingBit) == 0 && ((before ^ after) & (VersionMask | ChangingBit)) == 0;

    // Of a lock taken by a reader: the entry may have been removed before, and stays so.
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
