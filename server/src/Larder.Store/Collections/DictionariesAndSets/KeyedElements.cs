namespace Larder.Store.Collections;

/// <summary>
/// The fields of a dictionary, or the members of a set or sorted set. The elements are packed if there are few of them and they are small. Otherwise, they are
/// records of a hash table.
/// </summary>
internal static unsafe class KeyedElements
{
    /// <summary>
    /// Returns the memory that may be needed to add <paramref name="elements"/> elements. Their keys and values have <paramref name="bytes"/> bytes in total,
    /// and at most <paramref name="largest"/> bytes in one element.
    /// </summary>
    public static BlockNeed NeedFor(CollectionRoot* root, ItemType type, long elements, long bytes, long largest)
    {
        long count = root == null || !root->IsPacked ? 0 : root->Count;
        long used = root == null || !root->IsPacked ? 0 : root->UsedBytes;
        bool isPacked = root == null || root->IsPacked;
        long packed = used + bytes + (elements * 2 * Lengths.MaxBytes);
        // Each element may need a new block that is at least a quarter larger than the previous one. The total size of these blocks is at most five times the
        // last one.
        long blocks = Math.Min(elements, 5);
        if (isPacked && count + elements <= PackedElements.MaxElements(type) && packed <= PackedElements.MostBytes(type))
        {
            return BlockNeed.Of(blocks, BlockHeap.SizeOf(PackedElements.CapacityFor((int)packed)));
        }

        // The collection may first grow while packed. Then its packed elements become records.
        BlockNeed before = isPacked ? BlockNeed.Of(blocks, BlockHeap.SizeOf(PackedElements.CapacityFor(PackedElements.MostBytes(type)))) : default;
        elements += count;
        bytes += used;
        BlockNeed index = HashIndex.NeedFor(root, elements, bytes, Math.Max(largest, used));
        return before + index + (type == ItemType.SortedSet ? OrderTree.NeedFor(root, elements) : default);
    }

    public static bool TryFind(CollectionRoot* root, ReadOnlySpan<byte> key, ulong seed, out KeyedElement element) =>
        root->IsPacked ? PackedElements.TryFind(root, key, out element) : HashIndex.TryFind(root, key, HashOf(key, seed), out element);

    /// <summary>Adds an element or replaces its value. Do not use this method for sorted sets.</summary>
    /// <returns>True if the element was added.</returns>
    public static bool Set(CollectionRoot* root, BlockHeap heap, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong seed)
    {
        if (TryFind(root, key, seed, out KeyedElement present))
        {
            if (present.Value.Length == value.Length)
            {
                value.CopyTo(present.Value);
                return false;
            }

            Remove(root, heap, key, seed);
            Add(root, heap, key, value, seed);
            return false;
        }

        Add(root, heap, key, value, seed);
        return true;
    }

    /// <summary>Removes an element if it exists. Do not use this method for sorted sets.</summary>
    /// <returns>True if the element existed.</returns>
    public static bool Remove(CollectionRoot* root, BlockHeap heap, ReadOnlySpan<byte> key, ulong seed)
    {
        if (!root->IsPacked)
        {
            return HashIndex.Remove(root, heap, key, HashOf(key, seed));
        }

        bool isThere = PackedElements.TryFind(root, key, out KeyedElement element);
        if (isThere)
        {
            PackedElements.Remove(root, element);
        }

        return isThere;
    }

    public static uint HashOf(ReadOnlySpan<byte> key, ulong seed) => (uint)KeyHash.Compute(key, seed);

    /// <summary>Returns whether one more element would exceed the limits for packed elements.</summary>
    public static bool Outgrows(CollectionRoot* root, int keyLength, int valueLength) =>
        root->Count >= PackedElements.MaxElements(root->Type)
        || root->UsedBytes + PackedElements.SizeOf(keyLength, valueLength) > PackedElements.MostBytes(root->Type);

    /// <summary>Converts a packed collection to a hash table.</summary>
    public static void Unpack(CollectionRoot* root, BlockHeap heap, ulong seed)
    {
        byte* packed = root->Data;
        byte* end = packed + root->UsedBytes;
        root->IsPacked = false;
        root->Count = root->PayloadBytes = 0;
        root->UsedBytes = 0;
        HashIndex.Create(root, heap);
        for (byte* at = packed; at < end;)
        {
            KeyedElement element = PackedElements.Read(at);
            if (root->Type == ItemType.SortedSet)
            {
                SortedElements.AddRecord(root, heap, element.Key, element.Score, seed);
            }
            else
            {
                HashIndex.Add(root, heap, element.Key, element.Value, HashOf(element.Key, seed));
            }

            at = element.End;
        }

        if (packed != null)
        {
            CollectionRoot.Free(root, heap, packed);
        }
    }

    private static void Add(CollectionRoot* root, BlockHeap heap, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong seed)
    {
        if (root->IsPacked && !Outgrows(root, key.Length, value.Length))
        {
            PackedElements.Insert(heap, root, root->UsedBytes, key, value);
            return;
        }

        if (root->IsPacked)
        {
            Unpack(root, heap, seed);
        }

        HashIndex.Add(root, heap, key, value, HashOf(key, seed));
    }
}
