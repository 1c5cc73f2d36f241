using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>Items with tags, and items that may be served stale after they expire.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>The maximum number of tags of an item.</summary>
    public const int MaxTags = 128;

    /// <summary>The maximum length of a validator, in bytes.</summary>
    public const int MaxValidatorBytes = 1_024;

    // The list is created when a tag is removed for the first time, because most caches never use tags.
    private RemovedTags? _removedTags;

    /// <summary>Gets the number of tag removals so far. It serves as a version for <see cref="ItemExtras.MadeIn"/>.</summary>
    public long Removals => _removedTags?.Now ?? 0;

    /// <summary>Computes the hash that identifies a tag.</summary>
    /// <param name="tag">The tag: any bytes.</param>
    public static ulong HashTag(ReadOnlySpan<byte> tag) => EntryTail.HashOf(tag);

    /// <summary>Stores a value with tags or a stale time, and replaces any previous item.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value; may be empty.</param>
    /// <param name="ttlMs">The time to live in milliseconds: 1 to the store's maximum TTL.</param>
    /// <param name="extras">The tags, the stale time and the validator.</param>
    /// <exception cref="ArgumentException">The same cases as for <see cref="Set"/>, or the extras exceed their limits.</exception>
    [SkipLocalsInit]
    public void SetWith(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs, in ItemExtras extras)
    {
        CheckSet(key, value, ttlMs);
        _store.CheckExtras(extras);
        Shard shard = ShardOf(key, out ulong hash);
        ReadOnlySpan<byte> tail = EntryTail.Write(stackalloc byte[EntryTail.MaxBytes], extras);
        VoidLease(hash);
        if (shard.SetIf(this, KeyHash.InShard(hash), key, value, ttlMs, SetCondition.Unconditional, tail) == SetOutcome.Stored)
        {
            Stored(hash, EntryHeader.SizeOf(key.Length, value.Length + tail.Length));
        }
    }

    /// <summary>
    /// Finds a scalar that has expired but may still be served stale, and passes its value to <paramref name="sink"/> once. The call is counted as neither a
    /// hit nor a miss.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="sink">Receives the value and the time since it expired. Exceptions of the sink are propagated.</param>
    /// <returns>True if a stale value was found.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public bool TryGetStale<TSink>(ReadOnlySpan<byte> key, ref TSink sink)
        where TSink : struct, IStaleSink, allows ref struct
    {
        Shard shard = ShardOf(key, out ulong hash);
        ReaderSlot reader = _store.Epochs.Current;
        reader.Enter();
        try
        {
            EntryHeader* entry = LiveSpace is { } space ? shard.Find(KeyHash.InShard(hash), space.Id, key) : null;
            if (entry == null || !entry->HasTail)
            {
                return false;
            }

            long expiresAtMs = EntryHeader.ReadExpiry(entry);
            bool isStale = _store.Clock.HasPassed(expiresAtMs) && !_store.Clock.HasPassed(expiresAtMs + EntryTail.StaleMs(EntryHeader.Tail(entry)));
            if (isStale && !HasRemoved(entry))
            {
                long expiredMs = Math.Max(_store.Clock.NowMs - expiresAtMs, 0);
                sink.Accept(EntryHeader.Value(entry), expiredMs, EntryTail.Validator(EntryHeader.Tail(entry)));
                return true;
            }

            return false;
        }
        finally
        {
            reader.Exit();
        }
    }

    /// <summary>Invalidates every item that has any of the tags, including stale items. The cost depends only on the number of tags.</summary>
    /// <param name="tags">The hashes of the tags (<see cref="HashTag"/>).</param>
    public void RemoveByTags(ReadOnlySpan<ulong> tags)
    {
        if (!tags.IsEmpty && !_space.Dead)
        {
            LazyInitializer.EnsureInitialized(ref _removedTags, () => new RemovedTags(_store.RemovedTagsPool)).Remove(tags);
            _store.NotifyCleared(this);
        }
    }

    /// <summary>Returns whether a tag of the entry was removed after the entry's value was created.</summary>
    internal bool HasRemoved(EntryHeader* entry)
    {
        if (!entry->HasTail || _removedTags is not { } removed)
        {
            return false;
        }

        ReadOnlySpan<byte> tail = EntryHeader.Tail(entry);
        return removed.HaveRemoved(EntryTail.MadeIn(tail), EntryTail.Tags(tail));
    }

    /// <summary>
    /// Ends the leases of a deleted cache and discards its list of removed tags, so that other caches can use their places in the shared pools. Called when the
    /// cache is deleted, and again when its memory has been reclaimed.
    /// </summary>
    internal void Forget()
    {
        _removedTags?.Close();
        ForgetLeases(long.MaxValue);
    }
}
