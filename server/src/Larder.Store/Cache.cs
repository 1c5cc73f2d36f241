using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace Larder.Store;

/// <summary>
/// A named cache in a <see cref="CacheStore"/>: binary keys and values, each entry with a TTL. Every operation is atomic for its key and thread-safe. If the
/// cache is deleted, reads find nothing and writes store nothing.
/// </summary>
public sealed unsafe partial class Cache
{
    /// <summary>The length of a value's hash, in bytes.</summary>
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

    /// <summary>Gets the name of the cache: 1 to 255 characters.</summary>
    public string Name { get; }

    /// <summary>Gets the cache's number, which is unique in this process and never reused.</summary>
    public long Id { get; } = Interlocked.Increment(ref s_lastId);

    /// <summary>Gets the quota: the maximum memory for the cache's entries with their headers, in bytes; 0 means no quota.</summary>
    public long MaxBytes { get; }

    /// <summary>The index of the cache in the arrays of counters. It is reused after the last entry of a deleted cache is reclaimed.</summary>
    internal int Ordinal { get; }

    /// <summary>The seed for the hashes of keys and elements.</summary>
    internal ulong HashSeed => _hashSeed;

    /// <summary>The values of the counters at <see cref="Ordinal"/> when the cache was created.</summary>
    internal CacheCounts Baseline { get; }

    /// <summary>
    /// The number of spaces of this cache whose numbers are in use, including the current space. It is 0 when all spaces of a deleted cache have been
    /// reclaimed.
    /// </summary>
    internal int SpacesHeld { get; set; }

    internal Space Space
    {
        get => _space;
        set => _space = value;
    }

    /// <summary>The current space, or null if the cache is deleted.</summary>
    internal Space? LiveSpace
    {
        get
        {
            Space space = _space;
            return space.Dead ? SpaceAfter(space) : space;
        }
    }

    /// <summary>Stores a value and replaces any previous item. Evicts old entries if the memory is full.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value; may be empty.</param>
    /// <param name="ttlMs">The time to live in milliseconds: 1 to the store's maximum TTL.</param>
    /// <exception cref="ArgumentException">
    /// The key is empty, the TTL is out of range, or key and value exceed <see cref="CacheStore.MaxItemBytes"/>.
    /// </exception>
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

    /// <summary>Stores a value if the entry under the key meets <paramref name="condition"/>. The check and the write are one atomic step.</summary>
    /// <returns>True if the value was stored; always false if the cache is deleted.</returns>
    /// <exception cref="ArgumentException">The same cases as for <see cref="Set"/>.</exception>
    public bool SetIf(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs, in SetCondition condition) =>
        StoreIf(key, value, ttlMs, condition) == SetOutcome.Stored;

    /// <summary>
    /// Stores a value like <see cref="SetIf"/>, but returns an outcome. If the key contains a collection, the outcome depends on the condition. A condition
    /// that compares values or hashes returns <see cref="SetOutcome.WrongType"/>. An unconditional set and <see cref="SetCondition.Present"/> replace the
    /// collection. <see cref="SetCondition.Absent"/> does not replace it.
    /// </summary>
    /// <exception cref="ArgumentException">The same cases as for <see cref="Set"/>.</exception>
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

    /// <summary>Restores a scalar from a snapshot (see <see cref="Shard.Restore"/>).</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value. The key and the value together are within the store's size limit.</param>
    /// <param name="expiresAtMs">The expiry time on the store's clock, in milliseconds.</param>
    /// <param name="frequency">The number of hits, as saved with the entry.</param>
    /// <param name="isOfMain">Whether the entry belongs to the main queue rather than the queue of new entries.</param>
    /// <param name="tail">The entry's tail; empty if the entry has no tail.</param>
    internal void Restore(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long expiresAtMs, byte frequency, bool isOfMain, ReadOnlySpan<byte> tail)
    {
        Shard shard = ShardOf(key, out ulong hash);
        shard.Restore(this, KeyHash.InShard(hash), key, value, expiresAtMs, frequency, isOfMain ? QueueKind.Main : QueueKind.Small, tail);
    }

    /// <summary>Removes the entry under a key.</summary>
    /// <returns>True if a live entry was removed.</returns>
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

    /// <summary>
    /// Adds to the base-10 integer under the key. A missing key counts as 0. Also sets the TTL, unless <paramref name="keepTtl"/> is set and the key exists.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="amount">The amount to add; may be negative.</param>
    /// <param name="ttlMs">The time to live in milliseconds from now.</param>
    /// <param name="value">The sum, if the outcome is <see cref="IncrementOutcome.Ok"/>.</param>
    /// <param name="keepTtl">Whether an existing integer keeps its remaining TTL. A missing integer always gets <paramref name="ttlMs"/>.</param>
    /// <exception cref="ArgumentException">The same cases as for <see cref="Set"/>.</exception>
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

    /// <summary>Changes the TTL of a live entry.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="kind">When the new TTL is applied: always, only if it is longer than the remaining TTL, or only if it is shorter.</param>
    /// <param name="ttlMs">The time to live in milliseconds from now.</param>
    /// <exception cref="ArgumentException">The key is empty or the TTL is out of range.</exception>
    public TtlUpdateOutcome UpdateTtl(ReadOnlySpan<byte> key, TtlUpdate kind, long ttlMs)
    {
        _store.CheckTtl(ttlMs);
        Shard shard = ShardOf(key, out ulong hash);
        PrefixCondition none = default;
        TtlUpdateOutcome outcome = shard.UpdateTtl(this, KeyHash.InShard(hash), key, kind, ttlMs, ref none);
        Changed(hash);
        return outcome;
    }

    /// <summary>Computes the hash of a value: the first 16 bytes of its SHA-256. This definition never changes.</summary>
    /// <param name="value">The value.</param>
    /// <param name="hash">Receives the hash; at least <see cref="ValueHashBytes"/> bytes long.</param>
    /// <returns>The number of bytes written, always <see cref="ValueHashBytes"/>.</returns>
    /// <exception cref="ArgumentException">The destination is too short.</exception>
    public static int HashValue(ReadOnlySpan<byte> value, Span<byte> hash)
    {
        if (hash.Length < ValueHashBytes)
        {
            throw new ArgumentException($"A hash must be {ValueHashBytes} bytes.", nameof(hash));
        }

        Span<byte> whole = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(value, whole);
        whole[..ValueHashBytes].CopyTo(hash);
        return ValueHashBytes;
    }

    /// <summary>Returns the part of a key's hash that identifies the key within its shard.</summary>
    internal uint HashOf(ReadOnlySpan<byte> key) => KeyHash.InShard(KeyHash.Compute(key, _hashSeed));

    // Returns the space that replaced a dead space; null if the cache is deleted. A flush publishes the new space before it kills the old one. A deletion
    // publishes no new space.
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

    // Called after a scalar has become visible to readers.
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
            throw new ArgumentException("A key must be at least 1 byte.", nameof(key));
        }

        hash = KeyHash.Compute(key, _hashSeed);
        return _store.ShardOf(hash);
    }
}
