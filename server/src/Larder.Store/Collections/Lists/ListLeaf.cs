namespace Larder.Store.Collections;

/// <summary>
/// A leaf of a list: elements one after another, each between its length and the same to be read from the end. They stand anywhere in the leaf, so that both
/// ends can grow. An element too large for a leaf has one of its own.
/// </summary>
internal unsafe struct ListLeaf
{
    /// <summary>Bytes of a leaf: to find an element by its index passes a quarter of its elements, and to make room at an end moves all its bytes.</summary>
    public const int Bytes = 4096;

    /// <summary>A new list's first leaf; it grows until it is as large as others.</summary>
    public const int LeastBytes = 64;

    /// <summary>Elements.</summary>
    public int Count;

    /// <summary>Where the first element begins, counted from the leaf's first element's place.</summary>
    public int Start;

    /// <summary>Where the last element ends.</summary>
    public int End;

    /// <summary>Bytes for elements.</summary>
    public int Capacity;

    public static byte* At(ListLeaf* leaf, int offset) => (byte*)(leaf + 1) + offset;

    /// <summary>Bytes of an element with its lengths.</summary>
    public static int SizeOf(int length) => length + (2 * Lengths.SizeOf(length));

    /// <summary>The element that begins here; the address is left where it ends.</summary>
    public static ReadOnlySpan<byte> Read(scoped ref byte* at)
    {
        int length = Lengths.Read(ref at);
        var element = new ReadOnlySpan<byte>(at, length);
        at += length + Lengths.SizeOf(length);
        return element;
    }

    /// <summary>The element that ends here; the address is left where it begins.</summary>
    public static ReadOnlySpan<byte> ReadBack(scoped ref byte* at)
    {
        int length = Lengths.ReadBack(ref at);
        at -= length;
        var element = new ReadOnlySpan<byte>(at, length);
        at -= Lengths.SizeOf(length);
        return element;
    }

    /// <summary>Where an element begins; from the end that is nearer.</summary>
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

    /// <summary>Writes an element at one end; false, with nothing done, where there is no room.</summary>
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

    /// <summary>Takes out elements from an index on.</summary>
    /// <returns>Bytes of the elements, without their lengths.</returns>
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
