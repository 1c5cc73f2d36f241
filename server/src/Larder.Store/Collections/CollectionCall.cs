namespace Larder.Store.Collections;

/// <summary>
/// The state of one call on a collection. The call begins with <see cref="Shard.Open"/>, which takes the shard's lock, and ends with <see cref="Shard.End"/>,
/// which releases the lock.
/// </summary>
internal unsafe ref struct CollectionCall
{
    public Cache Cache;
    public uint Hash;
    public ulong WholeHash;
    public ReadOnlySpan<byte> Key;
    public ItemType Type;

    /// <summary>Whether the call changes the collection. If it does, it waits until no reader holds the latch.</summary>
    public bool Writes;

    /// <summary>Whether the call adds elements. If it does, it needs memory, and creates the collection if it is missing.</summary>
    public bool Adds;

    /// <summary>Whether the call builds a second collection from the request, and therefore needs memory for this collection.</summary>
    public bool AddsToTemporary;

    /// <summary>The TTL, for calls that can change the expiry.</summary>
    public CollectionTtl Ttl;

    /// <summary>Whether the call accepts a collection of any type.</summary>
    public bool TakesAny;

    /// <summary>Whether the call is not counted as a hit or set, because it is an internal call or a peek.</summary>
    public bool IsUncounted;

    /// <summary>Whether the call adds elements only to an existing collection and never creates a collection.</summary>
    public bool CreatesNone;

    /// <summary>The expiry time, hits and queue of a collection restored from a snapshot; otherwise 0, 0 and null.</summary>
    public long ExpiresAtMs;
    public byte Frequency;
    public QueueKind? Queue;

    /// <summary>
    /// Upper bounds for the elements that the call adds: the number of elements, the bytes of all elements, and the bytes of the largest element.
    /// </summary>
    public long Elements;
    public long Bytes;
    public long LargestBytes;

    /// <summary>For lists: the memory needed by the elements to push. Used instead of the three bounds above.</summary>
    public ListNeed Pushed;

    /// <summary>For pushes to a list: the maximum number of elements to keep; 0 keeps all.</summary>
    public uint TruncateTo;

    /// <summary>The collection. Set when the call is opened.</summary>
    public CollectionRoot* Root;
    public Space Space;

    /// <summary>The memory that is reserved for the elements that the call adds.</summary>
    public BlockNeed Promised;

    /// <summary>The sizes that are already recorded in the accounts.</summary>
    public long ChargedBytes;
    public long PayloadBytes;

    /// <summary>The remaining work of the current step. When it is used up, the call lets other threads take the lock.</summary>
    public int Left;

    /// <summary>The reader slot of a call that reads without the lock.</summary>
    public ReaderSlot? Reader;

    /// <summary>Whether the store was closed while the call did not hold the lock.</summary>
    public bool IsLost;

    /// <summary>Returns the number of existing elements that a push removes to satisfy <see cref="TruncateTo"/>.</summary>
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
