using System.Buffers;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace Larder.Store;

/// <summary>
/// One named cache of a <see cref="CacheStore"/>: keys and values of bytes, each entry with a TTL. Every operation is atomic for its
/// key and safe from any thread. Operations on a deleted cache find nothing and store nothing.
/// </summary>
public sealed unsafe class Cache
{
    /// <summary>Length of a value's hash, in bytes.</summary>
    public const int ValueHashBytes = 16;

    private const int CacheLineBytes = 64;

    private readonly CacheStore _store;
    private readonly ulong _hashSeed;
    private volatile Space _space = null!;

    internal Cache(CacheStore store, string name, int ordinal, ulong hashSeed, CacheCounts baseline)
    {
        _store = store;
        _hashSeed = hashSeed;
        Name = name;
        Ordinal = ordinal;
        Baseline = baseline;
    }

    /// <summary>The cache's name, 1 to 255 characters.</summary>
    public string Name { get; }

    /// <summary>The cache's place in the arrays of counters; used again once a deleted cache's last entry is reclaimed.</summary>
    internal int Ordinal { get; }

    /// <summary>What the counters at <see cref="Ordinal"/> stood at when the cache was created.</summary>
    internal CacheCounts Baseline { get; }

    /// <summary>Spaces of this cache that still have a number, the current one among them; 0 once a deleted cache is reclaimed.</summary>
    internal int SpacesHeld { get; set; }

    internal Space Space
    {
        get => _space;
        set => _space = value;
    }

    /// <summary>Finds a live entry and hands its value to <paramref name="sink"/>, once; counts a hit or a miss.</summary>
    /// <returns>Whether there was one; if not, the sink was not called.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool TryGet<TSink>(ReadOnlySpan<byte> key, ref TSink sink)
        where TSink : struct, IValueSink, allows ref struct
    {
        Shard shard = ShardOf(key, out ulong hash);
        ReaderSlot reader = _store.Epochs.Current;
        bool hit;
        int size;
        reader.Enter();
        try
        {
            hit = Look(shard, hash, key, reader, ref sink, out size);
        }
        finally
        {
            reader.Exit();
        }

        if (_store.Shadow.Samples(hash))
        {
            reader.Sample(_store.Shadow, new AccessSample(hash, size, hit ? AccessKind.Hit : AccessKind.Miss));
        }

        return hit;
    }

    /// <summary>Finds a live entry and writes its value, and nothing else, to <paramref name="destination"/>.</summary>
    /// <returns>Whether there was one; if not, nothing was written.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool TryGet(ReadOnlySpan<byte> key, IBufferWriter<byte> destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        var sink = new BufferSink(destination);
        return TryGet(key, ref sink);
    }

    /// <summary>Whether the key has a live entry. Counts neither a hit nor a miss, and does not save the entry from eviction.</summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool Contains(ReadOnlySpan<byte> key)
    {
        return TryGetExpiry(key, out _);
    }

    /// <summary>Stores a value, whatever was there. Old entries are evicted where the memory limit asks for it.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="value">Any bytes, or none.</param>
    /// <param name="ttlMs">Milliseconds until the entry expires: 1 to the store's longest TTL.</param>
    /// <exception cref="ArgumentException">The key is empty, the TTL out of range, or key and value exceed <see cref="CacheStore.MaxItemBytes"/>.</exception>
    public void Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs)
    {
        CheckSet(key, value, ttlMs);
        Shard shard = ShardOf(key, out ulong hash);
        if (TryOverwrite(shard, hash, key, value, ttlMs) || shard.SetIf(this, KeyHash.InShard(hash), key, value, ttlMs, SetCondition.Unconditional))
        {
            Sample(hash, EntryHeader.SizeOf(key.Length, value.Length), AccessKind.Set);
        }
    }

    /// <summary>Stores a value where <paramref name="condition"/> holds of the entry under the key, decided and done atomically.</summary>
    /// <returns>Whether it stored.</returns>
    /// <exception cref="ArgumentException">As for <see cref="Set"/>.</exception>
    public bool SetIf(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs, in SetCondition condition)
    {
        CheckSet(key, value, ttlMs);
        Shard shard = ShardOf(key, out ulong hash);
        bool stored = shard.SetIf(this, KeyHash.InShard(hash), key, value, ttlMs, condition);
        if (stored)
        {
            Sample(hash, EntryHeader.SizeOf(key.Length, value.Length), AccessKind.Set);
        }

        return stored;
    }

    /// <summary>Removes the entry.</summary>
    /// <returns>Whether there was a live one.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool Delete(ReadOnlySpan<byte> key)
    {
        Shard shard = ShardOf(key, out ulong hash);
        Sample(hash, 0, AccessKind.Delete);
        return shard.Delete(this, KeyHash.InShard(hash), key);
    }

    /// <summary>Adds to the base-10 integer under the key, a missing one counting as 0, and sets its TTL as a set would.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="amount">What to add; may be negative.</param>
    /// <param name="ttlMs">Milliseconds until the entry expires, from now.</param>
    /// <param name="value">The sum, where the outcome is <see cref="IncrementOutcome.Ok"/>.</param>
    /// <exception cref="ArgumentException">As for <see cref="Set"/>.</exception>
    public IncrementOutcome Increment(ReadOnlySpan<byte> key, long amount, long ttlMs, out long value)
    {
        _store.CheckTtl(ttlMs);
        _store.CheckSize(key.Length, IntegerText.MaxBytes);
        Shard shard = ShardOf(key, out ulong hash);
        return shard.Increment(this, KeyHash.InShard(hash), key, amount, ttlMs, out value);
    }

    /// <summary>Changes a live entry's TTL.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="kind">Whether the new TTL applies always, or only where it is longer or shorter.</param>
    /// <param name="ttlMs">Milliseconds until the entry expires, from now.</param>
    /// <exception cref="ArgumentException">The key is empty or the TTL out of range.</exception>
    public TtlUpdateOutcome UpdateTtl(ReadOnlySpan<byte> key, TtlUpdate kind, long ttlMs)
    {
        _store.CheckTtl(ttlMs);
        Shard shard = ShardOf(key, out ulong hash);
        return shard.UpdateTtl(this, KeyHash.InShard(hash), key, kind, ttlMs);
    }

    /// <summary>How long a live entry has left.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="remainingMs">Whole milliseconds left, floored, and so always below the TTL that was set; 0 in the last millisecond.</param>
    /// <returns>Whether there is such an entry.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool TryGetTtl(ReadOnlySpan<byte> key, out long remainingMs)
    {
        bool found = TryGetExpiry(key, out long expiresAtMs);

        // Expiry and now are both floored, so up to a millisecond of the difference is already gone.
        remainingMs = found ? Math.Max(expiresAtMs - _store.Clock.NowMs - 1, 0) : 0;
        return found;
    }

    /// <summary>A value's hash: stable for ever, the first 16 bytes of its SHA-256.</summary>
    /// <param name="value">The value.</param>
    /// <param name="hash">Receives the hash: at least <see cref="ValueHashBytes"/> long.</param>
    /// <returns>Bytes written, always <see cref="ValueHashBytes"/>.</returns>
    /// <exception cref="ArgumentException">The destination is too short.</exception>
    public static int HashValue(ReadOnlySpan<byte> value, Span<byte> hash)
    {
        if (hash.Length < ValueHashBytes)
        {
            throw new ArgumentException($"A hash needs {ValueHashBytes} bytes.", nameof(hash));
        }

        Span<byte> whole = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(value, whole);
        whole[..ValueHashBytes].CopyTo(hash);
        return ValueHashBytes;
    }

    /// <summary>The part of a key's hash that its shard knows it by.</summary>
    internal uint HashOf(ReadOnlySpan<byte> key) => KeyHash.InShard(KeyHash.Compute(key, _hashSeed));

    // Apart from its caller, whose try block would keep these variables in memory instead of registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Look<TSink>(Shard shard, ulong hash, ReadOnlySpan<byte> key, ReaderSlot reader, ref TSink sink, out int size)
        where TSink : struct, IValueSink, allows ref struct
    {
        size = 0;
        Space space = _space;
        if (space.Dead)
        {
            return false;
        }

        bool hit = false;
        EntryHeader* entry = shard.Find(KeyHash.InShard(hash), space.Id, key);
        if (entry != null)
        {
            size = entry->SizeBytes;
            hit = entry->IsFixed ? Accept(entry, ref sink) : AcceptCopy(entry, ref sink);
        }

        reader.Count(Ordinal, hit ? AccessKind.Hit : AccessKind.Miss);
        return hit;
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

    // The value may be overwritten while the sink looks at it.
    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool AcceptCopy<TSink>(EntryHeader* entry, ref TSink sink)
        where TSink : struct, IValueSink, allows ref struct
    {
        // Aligned to a cache line: what was just written can then be read back before it has left the processor's store buffer.
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

    private void CheckSet(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs)
    {
        _store.CheckTtl(ttlMs);
        _store.CheckSize(key.Length, value.Length);
    }

    private bool TryOverwrite(Shard shard, ulong hash, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs)
    {
        ReaderSlot slot = _store.Epochs.Current;
        slot.Enter();
        try
        {
            Space space = _space;
            if (space.Dead || !shard.TryOverwrite(KeyHash.InShard(hash), space.Id, key, value, ttlMs))
            {
                return false;
            }

            slot.Count(Ordinal, AccessKind.Set);
            return true;
        }
        finally
        {
            slot.Exit();
        }
    }

    private bool TryGetExpiry(ReadOnlySpan<byte> key, out long expiresAtMs)
    {
        Shard shard = ShardOf(key, out ulong hash);
        ReaderSlot reader = _store.Epochs.Current;
        reader.Enter();
        try
        {
            Space space = _space;
            EntryHeader* entry = space.Dead ? null : shard.Find(KeyHash.InShard(hash), space.Id, key);
            expiresAtMs = entry == null ? 0 : EntryHeader.ReadExpiry(entry);
            return entry != null && !_store.Clock.HasPassed(expiresAtMs);
        }
        finally
        {
            reader.Exit();
        }
    }

    private void Sample(ulong hash, int sizeBytes, AccessKind kind)
    {
        if (_store.Shadow.Samples(hash))
        {
            _store.Epochs.Current.Sample(_store.Shadow, new AccessSample(hash, sizeBytes, kind));
        }
    }

    private Shard ShardOf(ReadOnlySpan<byte> key, out ulong hash)
    {
        if (key.IsEmpty)
        {
            throw new ArgumentException("A key has at least 1 byte.", nameof(key));
        }

        hash = KeyHash.Compute(key, _hashSeed);
        return _store.ShardOf(hash);
    }
}
