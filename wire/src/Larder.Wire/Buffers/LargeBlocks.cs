using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// Allocates blocks for buffers of any size, for the whole process. Small blocks come from the shared array pool. Larger blocks are parts of slabs, for two
/// reasons. The shared array pool would keep tens of megabytes of such blocks. New arrays that are used only once would burden the garbage collector.
/// </summary>
internal static class LargeBlocks
{
    /// <summary>The size, in bytes, of the largest block that comes from the shared array pool.</summary>
    public const int SmallBytes = Slab.PageBytes;

    // The size of the largest slab block. Larger blocks are separate arrays. No request to a server needs a larger block.
    private const int MaxBytes = Slab.Pages * Slab.PageBytes / 2;

    private static readonly SlabPool s_slabs = new();

    /// <summary>Gets the number of slab bytes that are currently in use.</summary>
    public static long Taken => s_slabs.TakenBytes;

    /// <summary>Returns the length of the block that <see cref="Rent"/> returns for a size.</summary>
    public static int LengthFor(int bytes) => bytes <= SmallBytes
        ? (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)Math.Max(bytes, 16))
        : checked((bytes + Slab.PageBytes - 1) / Slab.PageBytes * Slab.PageBytes);

    /// <summary>Returns an uninitialized block. <see cref="LengthFor"/> determines the length of the block.</summary>
    /// <exception cref="OutOfMemoryException">There is not enough memory.</exception>
    public static ArraySegment<byte> Rent(int bytes)
    {
        if (bytes <= SmallBytes)
        {
            return ArrayPool<byte>.Shared.Rent(bytes);
        }

        int length = LengthFor(bytes);
        return length > MaxBytes ? GC.AllocateUninitializedArray<byte>(length) : s_slabs.Take(length / Slab.PageBytes);
    }

    /// <summary>Extends a block without copying it. Returns false if the memory behind the block is not free.</summary>
    public static bool TryLengthen(ref ArraySegment<byte> block, int bytes) =>
        block.Count is > SmallBytes and <= MaxBytes && bytes <= MaxBytes && s_slabs.TryLengthen(ref block, LengthFor(bytes) / Slab.PageBytes);

    /// <summary>Shortens a slab block without copying it. The block retains at least two pages. Other blocks are not changed.</summary>
    public static void Shorten(ref ArraySegment<byte> block, int bytes)
    {
        // A slab block must have at least two pages. The method Return would mistake a block of one page for an array of the shared pool.
        int length = Math.Max(LengthFor(bytes), 2 * Slab.PageBytes);
        if (block.Count is > SmallBytes and <= MaxBytes && length < block.Count)
        {
            s_slabs.Shorten(ref block, length / Slab.PageBytes);
        }
    }

    /// <summary>Returns a block to the pool. The block comes from <see cref="Rent"/> or is empty, and must no longer be referenced.</summary>
    public static void Return(ArraySegment<byte> block)
    {
        if (block.Count <= SmallBytes)
        {
            ArrayPool<byte>.Shared.Return(block.Array!);
        }
        else if (block.Count > MaxBytes)
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
