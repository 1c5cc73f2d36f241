namespace Larder.Store.Collections;

/// <summary>
/// A leaf of a list, which contains packed elements. The length of each element is stored before and after the element, so that a leaf can be read in both
/// directions. The first element may start anywhere in the leaf, so that elements can be added at both ends. An element that is too large for a normal leaf
/// gets a separate leaf.
/// </summary>
internal unsafe struct ListLeaf
{
    /// <summary>
    /// The number of bytes for elements in a full-size leaf. On average, a search by index scans a quarter of the elements. A push may have to move all bytes.
    /// </summary>
    public const int Bytes = 4096;

    /// <summary>The initial size of a new list's first leaf, in bytes. This leaf grows to the full size.</summary>
    public const int MinBytes = 64;

    /// <summary>The number of elements.</summary>
    public int Count;

    /// <summary>The offset of the first element from the start of the leaf's element area.</summary>
    public int Start;

    /// <summary>The offset of the end of the last element.</summary>
    public int End;

    /// <summary>The number of bytes available for elements.</summary>
    public int Capacity;

    public static byte* At(ListLeaf* leaf, int offset) => (byte*)(leaf + 1) + offset;

    /// <summary>Returns the stored size of an element in bytes. It includes both copies of the element's length.</summary>
    public static int SizeOf(int length) => length + (2 * Lengths.SizeOf(length));

    /// <summary>Reads the element that starts at the address, and moves the address to the end of this element.</summary>
    public static ReadOnlySpan<byte> Read(scoped ref byte* at)
    {
        int length = Lengths.Read(ref at);
        var element = new ReadOnlySpan<byte>(at, length);
        at += length + Lengths.SizeOf(length);
        return element;
    }

    /// <summary>Reads the element that ends at the address, and moves the address to the start of this element.</summary>
    public static ReadOnlySpan<byte> ReadBack(scoped ref byte* at)
    {
        int length = Lengths.ReadBack(ref at);
        at -= length;
        var element = new ReadOnlySpan<byte>(at, length);
        at -= Lengths.SizeOf(length);
        return element;
    }

    /// <summary>Returns the start of an element. The search starts from the nearer end.</summary>
    public static byte* Find(ListLeaf* leaf, int index)
    {
        byte* at;
        if (index <= leaf->Count / 2)
        {
            at = At(leaf, leaf->Start);
            for (; index > 0; index--)
            {
                Read(ref at);
            }

            return at;
        }

        at = At(leaf, leaf->End);
        for (int left = leaf->Count - index; left > 0; left--)
        {
            ReadBack(ref at);
        }

        return at;
    }

    /// <summary>Adds an element at one end. Returns false, and changes nothing, if the leaf has no space.</summary>
    public static bool TryPush(ListLeaf* leaf, ReadOnlySpan<byte> element, bool front)
    {
        int size = SizeOf(element.Length);
        int used = leaf->End - leaf->Start;
        if (used + size > leaf->Capacity)
        {
            return false;
        }

        if (front ? leaf->Start < size : leaf->End + size > leaf->Capacity)
        {
            int to = front ? leaf->Capacity - used : 0;
            Buffer.MemoryCopy(At(leaf, leaf->Start), At(leaf, to), used, used);
            leaf->Start = to;
            leaf->End = to + used;
        }

        byte* at = At(leaf, front ? leaf->Start -= size : leaf->End);
        at = Lengths.Write(at, element.Length);
        element.CopyTo(new Span<byte>(at, element.Length));
        Lengths.WriteBack(at + element.Length, element.Length);
        leaf->End += front ? 0 : size;
        leaf->Count++;
        return true;
    }

    /// <summary>Removes elements, starting at an index.</summary>
    /// <returns>The number of bytes of the removed elements, without the stored lengths.</returns>
    public static long Cut(ListLeaf* leaf, int index, int count)
    {
        byte* from = Find(leaf, index);
        byte* to = from;
        long payload = 0;
        for (int i = 0; i < count; i++)
        {
            payload += Read(ref to).Length;
        }

        long before = from - At(leaf, leaf->Start);
        long after = At(leaf, leaf->End) - to;
        if (before < after)
        {
            Buffer.MemoryCopy(At(leaf, leaf->Start), to - before, before, before);
            leaf->Start += (int)(to - from);
        }
        else
        {
            Buffer.MemoryCopy(to, from, after, after);
            leaf->End -= (int)(to - from);
        }

        leaf->Count -= count;
        return payload;
    }
}
