namespace Larder.Store.Collections;

/// <summary>One call on a collection, from <see cref="Shard.Open"/>, which takes the shard's lock, to <see cref="Shard.End"/>, which gives it back.</summary>
internal unsafe ref struct CollectionCall
{
    public Cache Cache;
    public uint Hash;
    public ulong WholeHash;
    public ReadOnlySpan<byte> Key;
    public ItemType Type;

    /// <summary>Whether it changes the collection, and so waits until nobody looks at it.</summary>
    public bool Writes;

    /// <summary>Whether it adds elements, and so needs memory, and creates a collection that is not there.</summary>
    public bool Adds;

    /// <summary>Whether it makes another collection out of the request, and so needs memory for that.</summary>
    public bool AddsAside;

    /// <summary>Of a call that may change the expiry.</summary>
    public CollectionTtl Ttl;

    /// <summary>Whether any collection will do.</summary>
    public bool TakesAny;

    /// <summary>Whether it is no caller's: it counts neither as a hit nor as a set.</summary>
    public bool IsUncounted;

    /// <summary>Whether it adds only to a collection that is there.</summary>
    public bool CreatesNone;

    /// <summary>Of a collection that comes back as it was: its expiry, its hits and its queue; else 0, 0 and null.</summary>
    public long ExpiresAtMs;
    public byte Frequency;
    public QueueKind? Queue;

    /// <summary>What it adds at most: so many elements with so many bytes, and so many in the largest.</summary>
    public long Elements;
    public long Bytes;
    public long LargestBytes;

    /// <summary>Of a list: what it adds, instead.</summary>
    public ListNeed Pushed;

    /// <summary>Of a list that is pushed to: the elements that it keeps at most; 0: all.</summary>
    public uint TruncateTo;

    /// <summary>The collection, from its opening on.</summary>
    public CollectionRoot* Root;
    public Space Space;

    /// <summary>What was set aside for what it adds.</summary>
    public BlockNeed Promised;

    /// <summary>What the accounts know of.</summary>
    public long ChargedBytes;
    public long PayloadBytes;

    /// <summary>What it may still do before it lets others have the lock.</summary>
    public int Left;

    /// <summary>Of a call that reads without the lock.</summary>
    public ReaderSlot? Reader;

    /// <summary>Whether the store was closed while it had let others have the lock.</summary>
    public bool IsLost;

    /// <summary>How many elements of the collection a push drops, because of <see cref="TruncateTo"/>.</summary>
    public readonly long SurplusOf(CollectionRoot* root) => TruncateTo == 0 ? 0 : Math.Max(root->Count - TruncateTo, 0);

    public static CollectionCall ToRead(Cache cache, ulong hash, ReadOnlySpan<byte> key, ItemType type) =>
        new() { Cache = cache, Hash = KeyHash.InShard(hash), WholeHash = hash, Key = key, Type = type };

    public static CollectionCall ToRemove(Cache cache, ulong hash, ReadOnlySpan<byte> key, ItemType type)
    {
        CollectionCall call = ToRead(cache, hash, key, type);
        call.Writes = true;
        return call;
    }

    public static CollectionCall ToAdd(
        Cache cache,
        ulong hash,
        ReadOnlySpan<byte> key,
        ItemType type,
        CollectionTtl ttl,
        long elements,
        long bytes,
        long largest)
    {
        CollectionCall call = ToRemove(cache, hash, key, type);
        call.Adds = true;
        call.Ttl = ttl;
        call.Elements = elements;
        call.Bytes = bytes;
        call.LargestBytes = largest;
        return call;
    }
}
