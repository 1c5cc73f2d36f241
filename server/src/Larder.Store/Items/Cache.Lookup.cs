using System.Buffers;
using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>Lookups. They run within an epoch without taking a lock.</summary>
public sealed unsafe partial class Cache
{
    private const int CacheLineBytes = 64;

    /// <summary>Finds a live entry and passes its value to <paramref name="sink"/> once. The call is counted as a hit or a miss.</summary>
    /// <returns>True if the entry was found. Otherwise, the sink was not called.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool TryGet<TSink>(ReadOnlySpan<byte> key, ref TSink sink)
        where TSink : struct, IValueSink, allows ref struct => Get(key, ref sink) == GetOutcome.Hit;

    /// <summary>
    /// Gets a value like <see cref="TryGet{TSink}(ReadOnlySpan{byte}, ref TSink)"/>, but reports a collection as <see cref="GetOutcome.WrongType"/>. For a
    /// collection, the call is counted as neither a hit nor a miss.
    /// </summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public GetOutcome Get<TSink>(ReadOnlySpan<byte> key, ref TSink sink)
        where TSink : struct, IValueSink, allows ref struct
    {
        Shard shard = ShardOf(key, out ulong hash);
        ReaderSlot reader = _store.Epochs.Current;
        GetOutcome outcome;
        int size;
        reader.Enter();
        try
        {
            outcome = Look(shard, hash, key, reader, ref sink, out size);
        }
        finally
        {
            reader.Exit();
        }

        if (_store.Shadow.Samples(hash) && outcome != GetOutcome.WrongType)
        {
            reader.Sample(_store.Shadow, new AccessSample(hash, size, outcome == GetOutcome.Hit ? AccessKind.Hit : AccessKind.Miss));
        }

        return outcome;
    }

    /// <summary>Finds a live entry and writes its value to <paramref name="destination"/>. The call is counted as a hit or a miss.</summary>
    /// <returns>True if the entry was found. Otherwise, nothing was written.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool TryGet(ReadOnlySpan<byte> key, IBufferWriter<byte> destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        var sink = new BufferSink(destination);
        return TryGet(key, ref sink);
    }

    /// <summary>
    /// Subtracts one hit from the count of this thread. Called if a lookup must be repeated on another thread, so that its hit is not counted twice.
    /// </summary>
    public void RevertHit() => _store.Epochs.Current.TakeBack(Ordinal, AccessKind.Hit);

    /// <summary>
    /// Returns whether the key has a live entry. The call is counted as neither a hit nor a miss, and does not protect the entry from eviction.
    /// </summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool Contains(ReadOnlySpan<byte> key)
    {
        return TryGetTimeAndType(key, out _, out _);
    }

    /// <summary>Gets the type of a live item. The call is counted as neither a hit nor a miss.</summary>
    /// <returns>True if the item exists.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool TryGetType(ReadOnlySpan<byte> key, out ItemType type)
    {
        return TryGetTimeAndType(key, out _, out type);
    }

    /// <summary>Gets the remaining TTL of a live entry.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="remainingMs">
    /// The remaining time in milliseconds. It is rounded down, and therefore always less than the TTL that was set. It is 0 in the last millisecond.
    /// </param>
    /// <returns>True if the entry exists.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool TryGetTtl(ReadOnlySpan<byte> key, out long remainingMs)
    {
        bool found = TryGetTimeAndType(key, out long expiresAtMs, out _);

        // The expiry time and the current time are both rounded down, so up to 1 ms of the difference has already passed.
        remainingMs = found ? Math.Max(expiresAtMs - _store.Clock.NowMs - 1, 0) : 0;
        return found;
    }

    // This is a separate method so that its variables are in registers. In the caller, they would be in memory because of the try block.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private GetOutcome Look<TSink>(Shard shard, ulong hash, ReadOnlySpan<byte> key, ReaderSlot reader, ref TSink sink, out int size)
        where TSink : struct, IValueSink, allows ref struct
    {
        size = 0;
        if (LiveSpace is not { } space)
        {
            return GetOutcome.Miss;
        }

        bool hit = false;
        EntryHeader* entry = shard.Find(KeyHash.InShard(hash), space.Id, key);
        if (entry != null)
        {
            if (!entry->IsPlain && (!entry->HasTail || HasRemoved(entry)))
            {
                return ReadOtherEntry(entry, reader);
            }

            size = EntryHeader.SizeOf(entry);
            hit = entry->IsFixed ? Accept(entry, ref sink) : AcceptCopy(entry, ref sink);
        }

        reader.Count(Ordinal, hit ? AccessKind.Hit : AccessKind.Miss);
        return hit ? GetOutcome.Hit : GetOutcome.Miss;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private GetOutcome ReadOtherEntry(EntryHeader* entry, ReaderSlot reader)
    {
        if (!entry->HasTail && !_store.Clock.HasPassed(EntryHeader.ReadExpiry(entry)))
        {
            return GetOutcome.WrongType;
        }

        reader.Count(Ordinal, AccessKind.Miss);
        return GetOutcome.Miss;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool Accept<TSink>(EntryHeader* entry, ref TSink sink)
        where TSink : struct, IValueSink, allows ref struct
    {
        if (_store.Clock.HasPassed(EntryHeader.ReadExpiry(entry)))
        {
            return false;
        }

        EntryHeader.Touch(entry);
        sink.Accept(EntryHeader.Value(entry));
        return true;
    }

    // The value may be overwritten while the sink reads it, so the sink gets a copy.
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool AcceptCopy<TSink>(EntryHeader* entry, ref TSink sink)
        where TSink : struct, IValueSink, allows ref struct
    {
        // The buffer is aligned to a cache line, so that the copy can be read while it is still in the processor's store buffer.
        byte* buffer = stackalloc byte[EntryHeader.MaxCopiedValueBytes + CacheLineBytes];
        var copy = new Span<byte>((byte*)(((nint)buffer + CacheLineBytes - 1) & -CacheLineBytes), entry->ValueLength);
        if (_store.Clock.HasPassed(EntryHeader.Read(entry, copy)))
        {
            return false;
        }

        EntryHeader.Touch(entry);
        sink.Accept(copy);
        return true;
    }

    private bool TryGetTimeAndType(ReadOnlySpan<byte> key, out long expiresAtMs, out ItemType type)
    {
        Shard shard = ShardOf(key, out ulong hash);
        ReaderSlot reader = _store.Epochs.Current;
        reader.Enter();
        try
        {
            Space space = _space;
            EntryHeader* entry = space.Dead ? null : shard.Find(KeyHash.InShard(hash), space.Id, key);
            expiresAtMs = entry == null ? 0 : EntryHeader.ReadExpiry(entry);
            type = entry == null ? ItemType.Scalar : entry->Type;
            return entry != null && !_store.Clock.HasPassed(expiresAtMs) && !HasRemoved(entry);
        }
        finally
        {
            reader.Exit();
        }
    }
}
