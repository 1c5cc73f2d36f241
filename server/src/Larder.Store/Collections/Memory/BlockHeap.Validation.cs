namespace Larder.Store.Collections;

/// <summary>Checks that chunks, blocks and free lists match.</summary>
internal sealed unsafe partial class BlockHeap
{
    /// <summary>Throws if the chunks, blocks and free lists do not match.</summary>
    public void AssertValid()
    {
        long held = 0;
        long allocated = 0;
        int free = 0;
        Span<long> bytes = stackalloc long[Levels];
        Span<int> blocks = stackalloc int[Levels];
        foreach ((nint chunk, long chunkBytes) in _chunks)
        {
            held += chunkBytes;
            if (!_pooled.Contains(chunk))
            {
                free += AssertChunk((byte*)chunk, chunkBytes, ref allocated);
            }
        }

        Invariant.Holds(held == HeldBytes, "the memory held for collections is that of the chunks");
        Invariant.Holds(allocated == AllocatedBytes, "the blocks in use make up what is allocated");
        foreach (nint head in _free)
        {
            for (nint block = head; block != 0; block = *(nint*)block)
            {
                uint header = *Header((byte*)block);
                Invariant.Holds((header & FreeBit) != 0, "what is listed as free is free");
                (int level, _) = ClassOf(header & SizeMask);
                bytes[level] += header & SizeMask;
                blocks[level]++;
                free--;
            }
        }

        Invariant.Holds(bytes.SequenceEqual(_freeBytes) && blocks.SequenceEqual(_freeBlocks), "each level counts its free blocks");
        Invariant.Holds(free == 0, "each free block is listed");
    }

    private static int AssertChunk(byte* chunk, long bytes, ref long allocated)
    {
        int free = 0;
        bool wasFree = false;
        byte* block = chunk + HeaderBytes;
        byte* end = chunk + bytes;
        for (; block < end; block += *Header(block) & SizeMask)
        {
            uint header = *Header(block);
            Invariant.Holds((header & FirstBit) != 0 == (block == chunk + HeaderBytes), "only a chunk's first block says so");
            Invariant.Holds((header & PreviousFreeBit) != 0 == wasFree, "a block knows whether the one before is free");
            Invariant.Holds(!wasFree || (header & FreeBit) == 0, "free neighbours are one block");
            wasFree = (header & FreeBit) != 0;
            free += wasFree ? 1 : 0;
            allocated += wasFree ? 0 : header & SizeMask;
        }

        Invariant.Holds(block == end && *Header(end) == (wasFree ? PreviousFreeBit : 0), "blocks fill their chunk");
        return free;
    }
}
