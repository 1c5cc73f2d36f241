using System.Numerics;

namespace Larder.Store.Collections;

/// <summary>
/// Reserves memory for the elements that a call adds, before the call changes anything. A reservation only ensures that enough free bytes exist, in any number
/// of free blocks. Reserved memory that the call does not use is therefore available to the next call.
/// </summary>
internal sealed unsafe partial class BlockHeap
{
    // The size of a new chunk as a fraction of the memory in all chunks, within a minimum and a maximum. About this fraction of the memory may be unused,
    // because the newest chunk may be almost empty.
    private const int ChunkFraction = 8;

    // Opened chunks that have not yet been checked for blocks in use.
    private readonly List<nint> _opened = [];

    /// <summary>
    /// Ensures that the blocks can be allocated without adding a chunk. They can be allocated in any order, even if other blocks are freed in between. Opens
    /// pooled chunks if this provides the memory.
    /// </summary>
    /// <returns>False if a chunk must be added (see <see cref="ChunkBytesFor"/>).</returns>
    public bool TryReserve(BlockNeed need)
    {
        long margin = MarginOf(need.Largest);
        long whole = need.Bytes + margin;
        if (whole + (whole / Divisions) <= uint.MaxValue && Find((uint)whole) != null)
        {
            return true;
        }

        if (UsableBytes(margin) + PooledBytes(margin) < need.Bytes)
        {
            return false;
        }

        bool opens = true;
        while (opens && UsableBytes(margin) < need.Bytes)
        {
            opens = TryUsePooled(2 * margin);
        }

        return opens;
    }

    /// <summary>Returns the size, in bytes, of the chunk that must be added to satisfy <paramref name="need"/>.</summary>
    public long ChunkBytesFor(BlockNeed need)
    {
        long usual = Math.Clamp(HeldBytes / ChunkFraction, _minChunkBytes, _maxChunkBytes);
        long page = Environment.SystemPageSize;
        long margin = MarginOf(need.Largest);
        long missing = Math.Max(need.Bytes - UsableBytes(margin) - PooledBytes(margin), 0) + (2 * margin) + (2 * SentinelBytes);
        return (Math.Max(usual, missing) + page - 1) & -page;
    }

    /// <summary>Opens a pooled chunk that has enough space for an allocation. Returns false if there is no such chunk.</summary>
    public bool TryUsePooled(long bytes)
    {
        int last = _pooled.FindLastIndex(chunk => _chunks[chunk] >= ChunkFor(bytes));
        if (last < 0)
        {
            return false;
        }

        nint chunk = _pooled[last];
        _pooled.RemoveAt(last);
        Unused = Math.Min(Unused, _pooled.Count);
        Open((byte*)chunk, _chunks[chunk]);
        return true;
    }

    /// <summary>Returns opened chunks to the pool if no block was allocated from them.</summary>
    public void PoolOpened()
    {
        foreach (nint chunk in _opened)
        {
            byte* block = (byte*)chunk + HeaderBytes;
            uint size = *Header(block) & SizeMask;
            if ((*Header(block) & FreeBit) != 0 && size == _chunks[chunk] - SentinelBytes)
            {
                Unlink(block, size);
                _pooled.Add(chunk);
            }
        }

        _opened.Clear();
    }

    private void Pool(nint chunk)
    {
        _opened.Remove(chunk);
        _pooled.Add(chunk);
    }

    // Returns the margin of a free block: the number of bytes of the block that allocations of up to this size may be unable to use. The reason is that a
    // search uses only size classes in which every block is large enough. It may miss a block that is less than a sixteenth larger than the allocation. An
    // allocation reduces the usable bytes of a block by at most the size of the allocation. Freeing a block never reduces the usable bytes.
    private static long MarginOf(long largest) => largest + (largest / Divisions) + MinBlockBytes;

    // Returns the size of a chunk in which a search for this many bytes always succeeds. The chunk is about a sixteenth larger than the requested size.
    private static long ChunkFor(long bytes) => bytes + (bytes / Divisions) + (2 * SentinelBytes);

    // Returns the number of usable bytes in free blocks, without the margin of each block. Only levels above the level of the margin are counted, because all
    // their blocks are larger than the margin.
    private long UsableBytes(long margin)
    {
        long usable = 0;
        uint larger = uint.MaxValue << (ClassOf((uint)margin).Level + 1);
        for (uint levels = _levels & larger; levels != 0; levels &= levels - 1)
        {
            int level = BitOperations.TrailingZeroCount(levels);
            usable += _freeBytes[level] - (_freeBlocks[level] * margin);
        }

        return usable;
    }

    // Returns the number of usable bytes in pooled chunks.
    private long PooledBytes(long margin)
    {
        long usable = 0;
        foreach (nint chunk in _pooled)
        {
            long bytes = _chunks[chunk];
            usable += bytes >= ChunkFor(2 * margin) ? bytes - SentinelBytes - margin : 0;
        }

        return usable;
    }
}
