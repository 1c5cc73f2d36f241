using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// Blocks for buffers of any size, of the whole process. Small ones are the shared pool's arrays. That pool would keep tens of megabytes of large ones, and
/// arrays that are made for once would be the collector's work: those are cut from slabs.
/// </summary>
internal static class LargeBlocks
{
    /// <summary>The largest block that is the shared pool's.</summary>
    public const int SmallBytes = Slab.PageBytes;

    // Longer ones are arrays of their own: nothing that a server takes in is.
    private const int MostBytes = Slab.Pages * Slab.PageBytes / 2;

    private static readonly SlabPool s_slabs = new();

    /// <summary>Bytes of slabs in blocks now.</summary>
    public static long Taken => s_slabs.TakenBytes;

    /// <summary>The length of the block that <see cref="Rent"/> gives for a size.</summary>
    public static int LengthFor(int bytes) => bytes <= SmallBytes
        ? (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)Math.Max(bytes, 16))
        : checked((bytes + Slab.PageBytes - 1) / Slab.PageBytes * Slab.PageBytes);

    /// <summary>A block of <see cref="LengthFor"/> that size, with anything in it.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it.</exception>
    public static ArraySegment<byte> Rent(int bytes)
    {
        if (bytes <= SmallBytes)
        {
            return ArrayPool<byte>.Shared.Rent(bytes);
        }

        int length = LengthFor(bytes);
        return length > MostBytes ? GC.AllocateUninitializedArray<byte>(length) : s_slabs.Take(length / Slab.PageBytes);
    }

    /// <summary>Makes a block longer without a copy, where there is room behind it.</summary>
    public static bool TryLengthen(ref ArraySegment<byte> block, int bytes) =>
        block.Count is > SmallBytes and <= MostBytes && bytes <= MostBytes && s_slabs.TryLengthen(ref block, LengthFor(bytes) / Slab.PageBytes);

    /// <summary>Makes a block of slabs shorter without a copy, to no less than two pages; other blocks stay as they are.</summary>
    public static void Shorten(ref ArraySegment<byte> block, int bytes)
    {
        // A block of one page would be taken for one of the shared pool's when it is returned.
        int length = Math.Max(LengthFor(bytes), 2 * Slab.PageBytes);
        if (block.Count is > SmallBytes and <= MostBytes && length < block.Count)
        {
            s_slabs.Shorten(ref block, length / Slab.PageBytes);
        }
    }

    /// <summary>Takes a block of <see cref="Rent"/> back, or an empty one; nobody else looks at it.</summary>
    public static void Return(ArraySegment<byte> block)
    {
        if (block.Count <= SmallBytes)
        {
            ArrayPool<byte>.Shared.Return(block.Array!);
        }
        else if (block.Count > MostBytes)
        {
            IdleMemory.OfProcess.Dropped(block.Count);
        }
        else
        {
            s_slabs.Give(block);
        }
    }

    /// <inheritdoc cref="SlabPool.Trim"/>
    public static void Trim() => s_slabs.Trim();
}
