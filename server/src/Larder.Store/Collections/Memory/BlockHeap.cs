using System.Numerics;

namespace Larder.Store.Collections;

/// <summary>
/// A shard's memory for collections: blocks of any size, cut from chunks of whole pages, found by a two-level table of size classes (a good fit, 6 % apart) and
/// joined with their neighbours when they are freed: both take the same time whatever is held. A chunk without blocks is pooled, for the next that is needed or
/// to be given back. All is called under the shard's lock, and nobody looks at a block without it or a latch that keeps it
/// (<see cref="CollectionRoot.Latch"/>): freed memory waits for no readers.
/// </summary>
internal sealed unsafe partial class BlockHeap : IDisposable
{
    /// <summary>What stands before a block: its size and flags, and 4 bytes for its owner.</summary>
    public const int HeaderBytes = 8;

    private const int Alignment = 8;

    // A header, the two links of a free block, and its size again at its end.
    private const uint MinBlockBytes = 32;

    private const uint FreeBit = 1;
    private const uint PreviousFreeBit = 2;
    private const uint FirstBit = 4;
    private const uint SizeMask = ~7u;

    // Classes between two powers of two: at most a sixteenth of a block is more than was asked for.
    private const int Divisions = 16;
    private const int DivisionBits = 4;

    // Below this, classes are multiples of 8 bytes.
    private const int SmallLimit = 128;
    private const int SmallLimitBits = 7;
    private const int Levels = 32 - SmallLimitBits + 1;

    // A list's mark at the end of a chunk: a header of size 0.
    private const int SentinelBytes = HeaderBytes;

    private readonly PageRegions _pages;
    private readonly int _minChunkBytes;
    private readonly int _maxChunkBytes;
    private readonly bool _poison;
    private readonly Dictionary<nint, long> _chunks = [];
    private readonly List<nint> _pooled = [];
    private readonly uint[] _classes = new uint[Levels];
    private nint[] _free = [];
    private uint _levels;

    // Of each level's free blocks.
    private readonly long[] _freeBytes = new long[Levels];
    private readonly int[] _freeBlocks = new int[Levels];

    public BlockHeap(PageRegions pages, int minChunkBytes, int maxChunkBytes, bool poison)
    {
        _pages = pages;
        _minChunkBytes = minChunkBytes;
        _maxChunkBytes = maxChunkBytes;
        _poison = poison;
    }

    /// <summary>Memory of all chunks, in bytes, pooled ones among them.</summary>
    public long HeldBytes { get; private set; }

    /// <summary>Bytes of blocks in use, with their headers.</summary>
    public long AllocatedBytes { get; private set; }

    /// <summary>Chunks without a block.</summary>
    public int Pooled => _pooled.Count;

    /// <summary>Chunks that had no block all the time since <see cref="BeginWatch"/>.</summary>
    public int Unused { get; private set; }

    /// <summary>Bytes that a block of so many takes, with its header.</summary>
    public static long SizeOf(long bytes) => Math.Max((bytes + HeaderBytes + Alignment - 1) & ~(Alignment - 1), MinBlockBytes);

    /// <summary>Bytes that a block in use takes, with its header.</summary>
    public static long SizeOf(byte* block) => *Header(block) & SizeMask;

    /// <summary>Bytes that the owner of a block has.</summary>
    public static int Capacity(byte* block) => (int)(*Header(block) & SizeMask) - HeaderBytes;

    /// <summary>Four bytes of the header that are the owner's.</summary>
    public static ref uint Tag(byte* block) => ref *(uint*)(block - sizeof(uint));

    /// <summary>Takes a chunk; false, with nothing changed, where the system refuses it.</summary>
    public bool TryAddChunk(long chunkBytes)
    {
        byte* chunk = chunkBytes > int.MaxValue ? null : _pages.TryAllocate(chunkBytes);
        if (chunk == null)
        {
            return false;
        }

        _chunks.Add((nint)chunk, chunkBytes);
        HeldBytes += chunkBytes;
        Open(chunk, chunkBytes);
        return true;
    }

    /// <summary>Cuts a block. There is room: it was asked for before (<see cref="TryReserve"/>).</summary>
    public byte* Allocate(long bytes)
    {
        byte* block = TryAllocate(bytes);
        Invariant.Holds(block != null, "room for a block was made before");
        return block;
    }

    /// <summary>Cuts a block, or null where no chunk has room.</summary>
    public byte* TryAllocate(long bytes)
    {
        uint size = (uint)SizeOf(bytes);
        byte* block = Find(size);

        // A chunk whose last block was freed meanwhile is pooled: what was promised may be there.
        if (block == null && (!TryUsePooled(size) || (block = Find(size)) == null))
        {
            return null;
        }

        uint found = *Header(block) & SizeMask;
        Unlink(block, found);
        uint first = *Header(block) & FirstBit;
        byte* next = block + found;
        if (found - size >= MinBlockBytes)
        {
            byte* rest = block + size;
            *Header(rest) = (found - size) | FreeBit;
            Link(rest, found - size);
        }
        else
        {
            size = found;
            *Header(next) &= ~PreviousFreeBit;
        }

        *Header(block) = size | first;
        AllocatedBytes += size;
        return block;
    }

    /// <summary>Makes a block larger where it stands, out of the free one behind it; false, with nothing done, where that is not there or too small.</summary>
    public bool TryExtend(byte* block, long bytes)
    {
        uint header = *Header(block);
        uint size = header & SizeMask;
        uint wanted = (uint)SizeOf(bytes);
        if (wanted <= size)
        {
            return true;
        }

        byte* next = block + size;
        uint after = *Header(next);
        uint joined = size + (after & SizeMask);
        if ((after & FreeBit) == 0 || joined < wanted)
        {
            return false;
        }

        Unlink(next, after & SizeMask);
        if (joined - wanted >= MinBlockBytes)
        {
            byte* rest = block + wanted;
            *Header(rest) = (joined - wanted) | FreeBit;
            Link(rest, joined - wanted);
            joined = wanted;
        }

        *Header(block) = joined | (header & ~SizeMask);
        AllocatedBytes += joined - size;
        return true;
    }

    /// <summary>Gives a block back.</summary>
    public void Free(byte* block)
    {
        uint header = *Header(block);
        uint size = header & SizeMask;
        AllocatedBytes -= size;
        if (_poison)
        {
            new Span<byte>(block, (int)size - HeaderBytes).Fill(0xDB);
        }

        byte* next = block + size;
        uint after = *Header(next);
        if ((after & FreeBit) != 0)
        {
            Unlink(next, after & SizeMask);
            size += after & SizeMask;
        }

        if ((header & PreviousFreeBit) != 0)
        {
            uint before = *(uint*)(block - HeaderBytes - sizeof(uint));
            block -= before;
            Unlink(block, before);
            header = *Header(block);
            size += before;
        }

        uint first = header & FirstBit;
        *Header(block) = size | first | FreeBit;
        if (first != 0 && (*Header(block + size) & SizeMask) == 0)
        {
            Pool((nint)(block - HeaderBytes));
            return;
        }

        Link(block, size);
    }

    /// <summary>From here on it is watched which pooled chunks nobody needs (<see cref="Unused"/>).</summary>
    public void BeginWatch() => Unused = _pooled.Count;

    /// <summary>Takes a pooled chunk out of the heap; its memory is the caller's to give back.</summary>
    public bool TryTakePooled(out PageBlock chunk)
    {
        if (_pooled.Count == 0)
        {
            chunk = default;
            return false;
        }

        nint at = _pooled[^1];
        _pooled.RemoveAt(_pooled.Count - 1);
        chunk = new PageBlock((byte*)at, _chunks[at]);
        _chunks.Remove(at);
        HeldBytes -= chunk.Bytes;
        Unused = Math.Max(Unused - 1, 0);
        return true;
    }

    public void Dispose()
    {
        foreach ((nint chunk, long bytes) in _chunks)
        {
            _pages.Free((byte*)chunk, bytes);
        }

        _chunks.Clear();
        _pooled.Clear();
    }

    private static uint* Header(byte* block) => (uint*)(block - HeaderBytes);

    private static (int Level, int Division) ClassOf(uint size)
    {
        if (size < SmallLimit)
        {
            return (0, (int)size / Alignment);
        }

        int power = BitOperations.Log2(size);
        return (power - SmallLimitBits + 1, (int)(size >> (power - DivisionBits)) & (Divisions - 1));
    }

    private void Open(byte* chunk, long bytes)
    {
        if (_free.Length == 0)
        {
            _free = new nint[Levels * Divisions];
        }

        byte* block = chunk + HeaderBytes;
        uint size = (uint)(bytes - SentinelBytes);
        *Header(block) = size | FirstBit | FreeBit;
        *Header(block + size) = 0;
        Link(block, size);
        _opened.Add((nint)chunk);
    }

    /// <summary>A free block at least so large, or null.</summary>
    private byte* Find(uint size)
    {
        if (size >= SmallLimit)
        {
            size += (1u << (BitOperations.Log2(size) - DivisionBits)) - 1;
        }

        (int level, int division) = ClassOf(size);
        uint classes = _classes[level] & (uint.MaxValue << division);
        if (classes == 0)
        {
            uint levels = level + 1 >= Levels ? 0 : _levels & (uint.MaxValue << (level + 1));
            if (levels == 0)
            {
                return null;
            }

            level = BitOperations.TrailingZeroCount(levels);
            classes = _classes[level];
        }

        return (byte*)_free[(level * Divisions) + BitOperations.TrailingZeroCount(classes)];
    }

    // A free block's own bytes: the next and the previous of its class, and its size at its end, for the block after it.
    private void Link(byte* block, uint size)
    {
        (int level, int division) = ClassOf(size);
        ref nint head = ref _free[(level * Divisions) + division];
        ((nint*)block)[0] = head;
        ((nint*)block)[1] = 0;
        if (head != 0)
        {
            ((nint*)head)[1] = (nint)block;
        }

        head = (nint)block;
        _freeBytes[level] += size;
        _freeBlocks[level]++;
        _classes[level] |= 1u << division;
        _levels |= 1u << level;
        *(uint*)(block - HeaderBytes + size - sizeof(uint)) = size;
        *Header(block + size) |= PreviousFreeBit;
    }

    private void Unlink(byte* block, uint size)
    {
        nint next = ((nint*)block)[0];
        nint previous = ((nint*)block)[1];
        (int level, int division) = ClassOf(size);
        _freeBytes[level] -= size;
        _freeBlocks[level]--;
        if (next != 0)
        {
            ((nint*)next)[1] = previous;
        }

        if (previous != 0)
        {
            ((nint*)previous)[0] = next;
        }
        else
        {
            _free[(level * Divisions) + division] = next;
            if (next == 0)
            {
                _classes[level] &= ~(1u << division);
                if (_classes[level] == 0)
                {
                    _levels &= ~(1u << level);
                }
            }
        }

        *Header(block + size) &= ~PreviousFreeBit;
    }
}
