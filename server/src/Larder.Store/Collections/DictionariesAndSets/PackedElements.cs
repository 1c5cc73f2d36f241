using System.Runtime.CompilerServices;

namespace Larder.Store.Collections;

/// <summary>
/// The elements of a small dictionary, set or sorted set, one after another in one block: the lengths of key and value, then both. They are searched from the
/// first on. A sorted set's stand in its order.
/// </summary>
internal static unsafe class PackedElements
{
    /// <summary>More members than this are not packed: a search looks at half of them, some 2 ns each, and Redis packs as many.</summary>
    public const int MostMembers = 128;

    // Of a dictionary: Redis packs as many fields.
    private const int MostFields = 512;

    // More bytes than this are not packed: to insert moves half of them, some 50 ns and 100 ns.
    private const int MostMemberBytes = 8192;
    private const int MostFieldBytes = 16_384;

    // A block is made a quarter larger than needed, so that most insertions find room; where it can be made larger as it stands, an eighth.
    private const int SpareFraction = 4;
    private const int SpareFractionInPlace = 8;

    /// <summary>More elements than this are not packed.</summary>
    public static int MostElements(ItemType type) => type == ItemType.Dictionary ? MostFields : MostMembers;

    /// <summary>More bytes than this are not packed.</summary>
    public static int MostBytes(ItemType type) => type == ItemType.Dictionary ? MostFieldBytes : MostMemberBytes;

    public static int SizeOf(int keyLength, int valueLength) => Lengths.SizeOf(keyLength) + Lengths.SizeOf(valueLength) + keyLength + valueLength;

    /// <summary>Bytes of a block for so many of elements.</summary>
    public static int CapacityFor(int bytes) => bytes + (bytes / SpareFraction);

    public static bool TryFind(CollectionRoot* root, ReadOnlySpan<byte> key, out KeyedElement element)
    {
        byte* at = root->Data;
        byte* end = at + root->UsedBytes;
        while (at < end)
        {
            element = Read(at);
            if (element.Key.SequenceEqual(key))
            {
                return true;
            }

            at = element.End;
        }

        element = default;
        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static KeyedElement Read(byte* at)
    {
        byte* key = at;
        int keyLength = Lengths.Read(ref key);
        int valueLength = Lengths.Read(ref key);
        return new KeyedElement(at, key, keyLength, valueLength);
    }

    /// <summary>The element after so many others.</summary>
    public static KeyedElement At(CollectionRoot* root, long index)
    {
        KeyedElement element = Read(root->Data);
        for (; index > 0; index--)
        {
            element = Read(element.End);
        }

        return element;
    }

    /// <summary>Inserts an element that is not there.</summary>
    /// <param name="heap">Where its bytes come from; it has room.</param>
    /// <param name="root">The collection.</param>
    /// <param name="offset">Bytes of elements that stand before it.</param>
    /// <param name="key">Its key.</param>
    /// <param name="value">Its value.</param>
    public static void Insert(BlockHeap heap, CollectionRoot* root, int offset, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        int size = SizeOf(key.Length, value.Length);
        int used = root->UsedBytes;
        Reserve(heap, root, used + size);
        byte* at = root->Data + offset;
        Buffer.MemoryCopy(at, at + size, used - offset, used - offset);
        at = Lengths.Write(at, key.Length);
        at = Lengths.Write(at, value.Length);
        key.CopyTo(new Span<byte>(at, key.Length));
        value.CopyTo(new Span<byte>(at + key.Length, value.Length));
        root->UsedBytes = used + size;
        root->Count++;
        root->PayloadBytes += key.Length + value.Length;
    }

    public static void Remove(CollectionRoot* root, KeyedElement element)
    {
        root->Count--;
        root->PayloadBytes -= element.PayloadBytes;
        byte* end = root->Data + root->UsedBytes;
        long after = end - element.End;
        root->UsedBytes -= (int)(element.End - element.At);
        Buffer.MemoryCopy(element.End, element.At, after, after);
    }

    private static void Reserve(BlockHeap heap, CollectionRoot* root, int bytes)
    {
        if (root->Data != null
            && (BlockHeap.Capacity(root->Data) >= bytes || CollectionRoot.TryExtend(root, heap, root->Data, bytes + (bytes / SpareFractionInPlace))))
        {
            return;
        }

        byte* larger = CollectionRoot.Allocate(root, heap, CapacityFor(bytes));
        if (root->Data != null)
        {
            Buffer.MemoryCopy(root->Data, larger, root->UsedBytes, root->UsedBytes);
            CollectionRoot.Free(root, heap, root->Data);
        }

        root->Data = larger;
    }
}
