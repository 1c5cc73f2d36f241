using System.Numerics;

namespace Larder.Store.Collections;

/// <summary>
/// Room for what a call adds, before it begins: as many bytes of free blocks as it may take, in any number of places, so that what one call has left of its
/// room serves the next.
/// </summary>
internal sealed unsafe partial class BlockHeap
{
    // A chunk is an eighth of what is held, within bounds: that much may be unused at the end.
    private const int ChunkFraction = 8;

    // Chunks opened, as far as nobody has looked yet whether something was cut from them.
    private readonly List<nint> _opened = [];

    /// <summary>
    /// Makes sure that blocks can be allocated without another chunk, in any order and whatever is freed meanwhile; pooled chunks are opened where that helps.
    /// </summary>
    /// <returns>False where another chunk is needed (<see cref="ChunkBytesFor"/>).</returns>
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

    /// <summary>Bytes of the chunk that makes room for what is needed, beside what there is.</summary>
    public long ChunkBytesFor(BlockNeed need)
    {
        long usual = Math.Clamp(HeldBytes / ChunkFraction, _minChunkBytes, _maxChunkBytes);
        long page = Environment.SystemPageSize;
        long margin = MarginOf(need.Largest);
        long missing = Math.Max(need.Bytes - UsableBytes(margin) - PooledBytes(margin), 0) + (2 * margin) + (2 * SentinelBytes);
        return (Math.Max(usual, missing) + page - 1) & -page;
    }

    /// <summary>Whether a pooled chunk has room for so many; then it is one to allocate from.</summary>
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

    /// <summary>Pools what was opened for room that nothing was cut from.</summary>
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

    // What may be left of a free block that is too small for the largest: the search takes a class whose blocks are all large enough, a sixteenth larger at
    // most. Whatever is cut from a larger one takes no more than its own bytes from what is beyond this; and where something is freed, no less is.
    private static long MarginOf(long largest) => largest + (largest / Divisions) + MinBlockBytes;

    // The search for so many bytes finds a chunk that has a sixteenth more.
    private static long ChunkFor(long bytes) => bytes + (bytes / Divisions) + (2 * SentinelBytes);

    // Bytes of blocks that can be cut from the free ones, but for a margin in each. Those of the margin's own level do not count.
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

    // The same of the pooled chunks.
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
