using System.Numerics;

namespace Larder.Store.Collections;

/// <summary>
/// Reserves memory for what a call adds, before the call changes anything. The reservation is a number of free bytes in any number of places, so that memory
/// that one call does not use serves the next.
/// </summary>
internal sealed unsafe partial class BlockHeap
{
    // A new chunk is an eighth of the memory held, within bounds. That much may be unused at the end.
    private const int ChunkFraction = 8;

    // Opened chunks that were not checked yet for blocks in use.
    private readonly List<nint> _opened = [];

    /// <summary>
    /// Ensures that blocks can be allocated without another chunk, in any order and whatever is freed meanwhile. Opens pooled chunks if that helps.
    /// </summary>
    /// <returns>False if another chunk is needed (see <see cref="ChunkBytesFor"/>).</returns>
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

    /// <summary>Returns the size of the additional chunk that the need requires, in bytes.</summary>
    public long ChunkBytesFor(BlockNeed need)
    {
        long usual = Math.Clamp(HeldBytes / ChunkFraction, _minChunkBytes, _maxChunkBytes);
        long page = Environment.SystemPageSize;
        long margin = MarginOf(need.Largest);
        long missing = Math.Max(need.Bytes - UsableBytes(margin) - PooledBytes(margin), 0) + (2 * margin) + (2 * SentinelBytes);
        return (Math.Max(usual, missing) + page - 1) & -page;
    }

    /// <summary>Opens a pooled chunk with enough space for allocation; returns false if there is none.</summary>
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

    // Bytes of a free block that may be unusable for the largest allocation. The search uses a class whose blocks are all large enough: at most a sixteenth
    // larger. An allocation from a larger block takes only its own bytes from the usable part, and a free never reduces that part.
    private static long MarginOf(long largest) => largest + (largest / Divisions) + MinBlockBytes;

    // A search for this many bytes is sure to find a chunk that is a sixteenth larger.
    private static long ChunkFor(long bytes) => bytes + (bytes / Divisions) + (2 * SentinelBytes);

    // Usable bytes in free blocks: all but a margin in each. Blocks of the margin's own level do not count.
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

    // The usable bytes in pooled chunks.
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
