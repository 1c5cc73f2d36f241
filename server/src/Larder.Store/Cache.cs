using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace Larder.Store;

/// <summary>
/// One named cache of a <see cref="CacheStore"/>: keys and values of bytes, each entry with a TTL. Every operation is atomic for its
/// key and safe from any thread. Operations on a deleted cache find nothing and store nothing.
/// </summary>
public sealed unsafe partial class Cache
{
    /// <summary>Length of a value's hash, in bytes.</summary>
    public const int ValueHashBytes = 16;

    private static long s_lastId;

    private readonly CacheStore _store;
    private readonly ulong _hashSeed;
    private volatile Space _space = null!;

    internal Cache(CacheStore store, string name, long maxBytes, int ordinal, ulong hashSeed, CacheCounts baseline)
    {
        _store = store;
        _hashSeed = hashSeed;
        Name = name;
        MaxBytes = maxBytes;
        Ordinal = ordinal;
        Baseline = baseline;
    }

    /// <summary>The cache's name, 1 to 255 characters.</summary>
    public string Name { get; }

    /// <summary>A number that no other cache of this process has or had.</summary>
    public long Id { get; } = Interlocked.Increment(ref s_lastId);

    /// <summary>Its quota: what its entries may take of the store's memory, in bytes with their headers; 0: no quota.</summary>
    public long MaxBytes { get; }

    /// <summary>The cache's place in the arrays of counters; used again once a deleted cache's last entry is reclaimed.</summary>
    internal int Ordinal { get; }

    /// <summary>What its keys and elements are hashed with.</summary>
    internal ulong HashSeed => _hashSeed;

    /// <summary>What the counters at <see cref="Ordinal"/> stood at when the cache was created.</summary>
    internal CacheCounts Baseline { get; }

    /// <summary>Spaces of this cache that still have a number, the current one among them; 0 once a deleted cache is reclaimed.</summary>
    internal int SpacesHeld { get; set; }

    internal Space Space
    {
        get => _space;
        set => _space = value;
    }

    /// <summary>The present space, or null if the cache is deleted.</summary>
    internal Space? LiveSpace
    {
        get
        {
            Space space = _space;
            return space.Dead ? SpaceAfter(space) : space;
        }
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
        VoidLease(hash);
        if (TryOverwrite(shard, hash, key, value, ttlMs)
            || shard.SetIf(this, KeyHash.InShard(hash), key, value, ttlMs, SetCondition.Unconditional) == SetOutcome.Stored)
        {
            Stored(hash, EntryHeader.SizeOf(key.Length, value.Length));
        }
    }

    /// <summary>Stores a value where <paramref name="condition"/> holds of the entry under the key, decided and done atomically.</summary>
    /// <returns>Whether it stored; never in a deleted cache.</returns>
    /// <exception cref="ArgumentException">As for <see cref="Set"/>.</exception>
    public bool SetIf(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs, in SetCondition condition) =>
        StoreIf(key, value, ttlMs, condition) == SetOutcome.Stored;

    /// <summary>
    /// The same, and says where the key holds a collection that a condition on a value cannot be decided of. <see cref="SetCondition.Present"/> and no
    /// condition replace a collection, <see cref="SetCondition.Absent"/> leaves it.
    /// </summary>
    /// <exception cref="ArgumentException">As for <see cref="Set"/>.</exception>
    public SetOutcome StoreIf(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs, in SetCondition condition)
    {
        CheckSet(key, value, ttlMs);
        Shard shard = ShardOf(key, out ulong hash);
        SetOutcome outcome = condition.ComparesHash
            ? shard.SetIfHash(this, KeyHash.InShard(hash), key, value, ttlMs, condition, _store.Epochs.Current)
            : shard.SetIf(this, KeyHash.InShard(hash), key, value, ttlMs, condition);
        if (outcome == SetOutcome.Stored)
        {
            Stored(hash, EntryHeader.SizeOf(key.Length, value.Length));
        }

        return outcome;
    }

    /// <summary>Stores a scalar as it was in a store before (<see cref="Shard.Restore"/>).</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="value">The value; with the key no more than the store takes.</param>
    /// <param name="expiresAtMs">When it expires, by the store's clock.</param>
    /// <param name="frequency">Its hits.</param>
    /// <param name="isOfMain">Whether it had left the queue of new entries.</param>
    /// <param name="tail">Its tail, or nothing.</param>
    internal void Restore(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long expiresAtMs, byte frequency, bool isOfMain, ReadOnlySpan<byte> tail)
    {
        Shard shard = ShardOf(key, out ulong hash);
        shard.Restore(this, KeyHash.InShard(hash), key, value, expiresAtMs, frequency, isOfMain ? QueueKind.Main : QueueKind.Small, tail);
    }

    /// <summary>Removes the entry.</summary>
    /// <returns>Whether there was a live one.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool Delete(ReadOnlySpan<byte> key)
    {
        Shard shard = ShardOf(key, out ulong hash);
        Sample(hash, 0, AccessKind.Delete);
        VoidLease(hash);
        bool found = shard.Delete(this, KeyHash.InShard(hash), key);
        Changed(hash);
        EndLease(hash);
        return found;
    }

    /// <summary>Adds to the base-10 integer under the key, a missing one counting as 0, and sets its TTL as a set would, unless told to keep it.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="amount">What to add; may be negative.</param>
    /// <param name="ttlMs">Milliseconds until the entry expires, from now.</param>
    /// <param name="value">The sum, where the outcome is <see cref="IncrementOutcome.Ok"/>.</param>
    /// <param name="keepTtl">Whether an integer that is there keeps the time it has left; a missing one gets <paramref name="ttlMs"/>.</param>
    /// <exception cref="ArgumentException">As for <see cref="Set"/>.</exception>
    public IncrementOutcome Increment(ReadOnlySpan<byte> key, long amount, long ttlMs, out long value, bool keepTtl = false)
    {
        _store.CheckTtl(ttlMs);
        _store.CheckSize(key.Length, IntegerText.MaxBytes);
        Shard shard = ShardOf(key, out ulong hash);
        IncrementOutcome outcome = shard.Increment(this, KeyHash.InShard(hash), key, amount, ttlMs, keepTtl, out value);
        Changed(hash);
        EndLease(hash);
        KeepQuota(hash);
        return outcome;
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
        PrefixCondition none = default;
        TtlUpdateOutcome outcome = shard.UpdateTtl(this, KeyHash.InShard(hash), key, kind, ttlMs, ref none);
        Changed(hash);
        return outcome;
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

    // A flush gives the cache its next space before it kills the old one; a deletion gives none.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private Space? SpaceAfter(Space dead)
    {
        while (_space is var next && !ReferenceEquals(next, dead))
        {
            if (!next.Dead)
            {
                return next;
            }

            dead = next;
        }

        return null;
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

    // A scalar is there for all to see.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Stored(ulong hash, int sizeBytes)
    {
        Changed(hash);
        EndLease(hash);
        Sample(hash, sizeBytes, AccessKind.Set);
        KeepQuota(hash);
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
