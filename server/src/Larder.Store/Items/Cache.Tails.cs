using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>Items with tags, and items that are served for a while past their time.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>Tags that an item may have.</summary>
    public const int MaxTags = 128;

    // Most caches have none: made with the first removal.
    private RemovedTags? _removedTags;

    /// <summary>The number of removals of tags so far: a moment that a value can be made in.</summary>
    public long Removals => _removedTags?.Now ?? 0;

    /// <summary>What a tag is known by.</summary>
    /// <param name="tag">Any bytes.</param>
    public static ulong HashTag(ReadOnlySpan<byte> tag) => EntryTail.HashOf(tag);

    /// <summary>Stores a value with tags, or with a time for which it may be served past its TTL, whatever was there.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="value">Any bytes, or none.</param>
    /// <param name="ttlMs">Milliseconds until the entry expires: 1 to the store's longest TTL.</param>
    /// <param name="extras">Tags and stale time.</param>
    /// <exception cref="ArgumentException">As for <see cref="Set"/>, or the extras exceed their bounds.</exception>
    [SkipLocalsInit]
    public void SetWith(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs, in ItemExtras extras)
    {
        CheckSet(key, value, ttlMs);
        _store.CheckExtras(extras);
        Shard shard = ShardOf(key, out ulong hash);
        ReadOnlySpan<byte> tail = EntryTail.Write(stackalloc byte[EntryTail.MaxBytes], extras.StaleMs, extras.MadeIn, extras.Tags);
        VoidLease(hash);
        if (shard.SetIf(this, KeyHash.InShard(hash), key, value, ttlMs, SetCondition.Unconditional, tail) == SetOutcome.Stored)
        {
            Stored(hash, EntryHeader.SizeOf(key.Length, value.Length + tail.Length));
        }
    }

    /// <summary>
    /// Finds a scalar that has expired, but may still be served as stale, and hands its value to <paramref name="sink"/>, once. Counts no hit and no miss.
    /// </summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="sink">Receives the value and how long ago it expired. What it throws is thrown.</param>
    /// <returns>Whether there was one.</returns>
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
                sink.Accept(EntryHeader.Value(entry), Math.Max(_store.Clock.NowMs - expiresAtMs, 0));
                return true;
            }

            return false;
        }
        finally
        {
            reader.Exit();
        }
    }

    /// <summary>Every item with one of the tags is a miss from now on, fresh or stale; what it costs depends on the number of tags alone.</summary>
    /// <param name="tags">What the tags are known by.</param>
    public void RemoveByTags(ReadOnlySpan<ulong> tags)
    {
        if (!tags.IsEmpty && !_space.Dead)
        {
            LazyInitializer.EnsureInitialized(ref _removedTags, () => new RemovedTags(_store.RemovedTagsPool)).Remove(tags);
            _store.TellCleared(this);
        }
    }

    /// <summary>Whether a tag of the entry was removed after its value was made.</summary>
    internal bool HasRemoved(EntryHeader* entry)
    {
        if (!entry->HasTail || _removedTags is not { } removed)
        {
            return false;
        }

        ReadOnlySpan<byte> tail = EntryHeader.Tail(entry);
        return removed.HaveRemoved(EntryTail.MadeIn(tail), EntryTail.Tags(tail));
    }

    /// <summary>The cache is deleted: its leases end, and what it takes of what caches share is given back. Again: once it is reclaimed.</summary>
    internal void Forget()
    {
        _removedTags?.Close();
        ForgetLeases(long.MaxValue);
    }
}
