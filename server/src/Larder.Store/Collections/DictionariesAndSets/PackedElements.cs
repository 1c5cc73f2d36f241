using System.Runtime.CompilerServices;

namespace Larder.Store.Collections;

/// <summary>
/// The elements of a small dictionary, set or sorted set in one block. An element consists of the length of the key, the length of the value, the key, and the
/// value. A search scans from the first element. The elements of a sorted set are stored in the order of the set.
/// </summary>
internal static unsafe class PackedElements
{
    /// <summary>
    /// The maximum number of members of a packed set or sorted set. On average, a search scans half of them, at about 2 ns for each. Redis uses the same limit.
    /// </summary>
    public const int MaxMembers = 128;

    // The maximum number of fields of a packed dictionary. Redis uses the same limit.
    private const int MaxFields = 512;

    // The maximum numbers of bytes of packed elements. On average, an insertion moves half of the bytes. At these two limits, this takes about 50 ns and 100
    // ns.
    private const int MaxMemberBytes = 8192;
    private const int MaxFieldBytes = 16_384;

    // A new block is a quarter larger than needed, so that most insertions find space. A block that is extended in place is an eighth larger than needed.
    private const int SpareFraction = 4;
    private const int SpareFractionInPlace = 8;

    /// <summary>Returns the maximum number of elements of a packed collection of this type.</summary>
    public static int MaxElements(ItemType type) => type == ItemType.Dictionary ? MaxFields : MaxMembers;

    /// <summary>Returns the maximum number of bytes of the elements of a packed collection of this type.</summary>
    public static int MostBytes(ItemType type) => type == ItemType.Dictionary ? MaxFieldBytes : MaxMemberBytes;

    public static int SizeOf(int keyLength, int valueLength) => Lengths.SizeOf(keyLength) + Lengths.SizeOf(valueLength) + keyLength + valueLength;

    /// <summary>Returns the size of a new block for elements that have this number of bytes.</summary>
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

    /// <summary>Returns the element at an index.</summary>
    public static KeyedElement At(CollectionRoot* root, long index)
    {
        KeyedElement element = Read(root->Data);
        for (; index > 0; index--)
        {
            element = Read(element.End);
        }

        return element;
    }

    /// <summary>Inserts an element, which must not exist yet.</summary>
    /// <param name="heap">The heap of the blocks, in which memory must be reserved.</param>
    /// <param name="root">The collection.</param>
    /// <param name="offset">The number of bytes of the elements before the new element.</param>
    /// <param name="key">The element's key.</param>
    /// <param name="value">The element's value.</param>
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
