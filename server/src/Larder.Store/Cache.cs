using System.Buffers;
using System.Security.Cryptography;

namespace Larder.Store;

/// <summary>
/// One named cache of a <see cref="CacheStore"/>: keys and values of bytes, each entry with a TTL. Every operation is atomic for its
/// key and safe from any thread. Operations on a deleted cache find nothing and store nothing.
/// </summary>
public sealed class Cache
{
    /// <summary>Length of a value's hash, in bytes.</summary>
    public const int ValueHashBytes = 16;

    private readonly CacheStore _store;
    private volatile Space _space;

    internal Cache(CacheStore store, string name, int shards)
    {
        _store = store;
        Name = name;
        Counters = new ShardCounters[shards];
        _space = new Space(this, shards);
    }

    /// <summary>The cache's name, 1 to 255 characters.</summary>
    public string Name { get; }

    /// <summary>What was done by shard, each written only under that shard's lock; it outlives flushes.</summary>
    internal ShardCounters[] Counters { get; }

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
        Probe probe = ProbeFor(key, out Shard shard);
        return shard.TryGet(probe, ref sink);
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
        Probe probe = ProbeFor(key, out Shard shard);
        return shard.Contains(probe);
    }

    /// <summary>Stores a value, whatever was there. Old entries are evicted where the memory limit asks for it.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="value">Any bytes, or none.</param>
    /// <param name="ttlMs">Milliseconds until the entry expires: 1 to the store's longest TTL.</param>
    /// <exception cref="ArgumentException">The key is empty, the TTL out of range, or key and value exceed <see cref="CacheStore.MaxItemBytes"/>.</exception>
    public void Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs) => SetIf(key, value, ttlMs, SetCondition.Unconditional);

    /// <summary>Stores a value where <paramref name="condition"/> holds of the entry under the key, decided and done atomically.</summary>
    /// <returns>Whether it stored.</returns>
    /// <exception cref="ArgumentException">As for <see cref="Set"/>.</exception>
    public bool SetIf(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs, in SetCondition condition)
    {
        _store.CheckTtl(ttlMs);
        _store.CheckSize(key.Length, value.Length);
        Probe probe = ProbeFor(key, out Shard shard);
        return shard.SetIf(probe, value, ttlMs, condition);
    }

    /// <summary>Removes the entry.</summary>
    /// <returns>Whether there was a live one.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool Delete(ReadOnlySpan<byte> key)
    {
        Probe probe = ProbeFor(key, out Shard shard);
        return shard.Delete(probe);
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
        Probe probe = ProbeFor(key, out Shard shard);
        return shard.Increment(probe, amount, ttlMs, out value);
    }

    /// <summary>Changes a live entry's TTL.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="kind">Whether the new TTL applies always, or only where it is longer or shorter.</param>
    /// <param name="ttlMs">Milliseconds until the entry expires, from now.</param>
    /// <exception cref="ArgumentException">The key is empty or the TTL out of range.</exception>
    public TtlUpdateOutcome UpdateTtl(ReadOnlySpan<byte> key, TtlUpdate kind, long ttlMs)
    {
        _store.CheckTtl(ttlMs);
        Probe probe = ProbeFor(key, out Shard shard);
        return shard.UpdateTtl(probe, kind, ttlMs);
    }

    /// <summary>How long a live entry has left.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="remainingMs">Whole milliseconds left, floored, and so always below the TTL that was set; 0 in the last millisecond.</param>
    /// <returns>Whether there is such an entry.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool TryGetTtl(ReadOnlySpan<byte> key, out long remainingMs)
    {
        Probe probe = ProbeFor(key, out Shard shard);
        bool found = shard.TryGetExpiry(probe, out long expiresAtMs);

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

    internal CacheStatistics GetStatistics()
    {
        ShardCounters sum = default;
        foreach (ref readonly ShardCounters counters in Counters.AsSpan())
        {
            sum.Hits += Volatile.Read(in counters.Hits);
            sum.Misses += Volatile.Read(in counters.Misses);
            sum.Sets += Volatile.Read(in counters.Sets);
            sum.EvictedForMemory += Volatile.Read(in counters.EvictedForMemory);
            sum.Expired += Volatile.Read(in counters.Expired);
            sum.Flushed += Volatile.Read(in counters.Flushed);
        }

        SpaceUsage usage = default;
        foreach (ref readonly SpaceUsage part in _space.Usage.AsSpan())
        {
            usage.Entries += Volatile.Read(in part.Entries);
            usage.Bytes += Volatile.Read(in part.Bytes);
        }

        return new CacheStatistics
        {
            Name = Name,
            Hits = sum.Hits,
            Misses = sum.Misses,
            Sets = sum.Sets,
            Entries = usage.Entries,
            Bytes = usage.Bytes,
            OverheadBytes = usage.Entries * Entry.OverheadBytes,
            Evictions = new EvictionStatistics(sum.EvictedForMemory, sum.Expired, sum.Flushed),
        };
    }

    private Probe ProbeFor(ReadOnlySpan<byte> key, out Shard shard)
    {
        if (key.IsEmpty)
        {
            throw new ArgumentException("A key has at least 1 byte.", nameof(key));
        }

        ulong hash = KeyHash.Compute(key, _store.HashSeed);
        shard = _store.ShardOf(hash);
        return new Probe(hash, _space, key);
    }
}
