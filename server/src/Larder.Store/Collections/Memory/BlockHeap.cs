using System.Numerics;

namespace Larder.Store.Collections;

/// <summary>
/// A shard's memory for collections: blocks of any size, allocated from chunks of whole pages. A two-level table of size classes, which are 6 % apart, finds a
/// free block of suitable size. A freed block is merged with its free neighbours. Both operations take constant time. A chunk without blocks is pooled, to be
/// reused or released. All calls require the shard's lock. A block is read only under that lock or under the latch of its collection
/// (<see cref="CollectionRoot.Latch"/>). Therefore, a block can be freed without waiting for readers.
/// </summary>
internal sealed unsafe partial class BlockHeap : IDisposable
{
    /// <summary>The number of bytes before a block: its size and flags, and 4 bytes for its owner.</summary>
    public const int HeaderBytes = 8;

    private const int Alignment = 8;

    // The smallest free block contains a header, two links, and its size repeated at the end.
    private const uint MinBlockBytes = 32;

    private const uint FreeBit = 1;
    private const uint PreviousFreeBit = 2;
    private const uint FirstBit = 4;
    private const uint SizeMask = ~7u;

    // The number of size classes between two powers of two. With this number, at most a sixteenth of a block is unused.
    private const int Divisions = 16;
    private const int DivisionBits = 4;

    // Below this size, the sizes of classes are multiples of 8 bytes.
    private const int SmallLimit = 128;
    private const int SmallLimitBits = 7;
    private const int Levels = 32 - SmallLimitBits + 1;

    // A chunk ends with a header of size 0.
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

    // The total bytes and the number of free blocks on each level.
    private readonly long[] _freeBytes = new long[Levels];
    private readonly int[] _freeBlocks = new int[Levels];

    public BlockHeap(PageRegions pages, int minChunkBytes, int maxChunkBytes, bool poison)
    {
        _pages = pages;
        _minChunkBytes = minChunkBytes;
        _maxChunkBytes = maxChunkBytes;
        _poison = poison;
    }

    /// <summary>The number of bytes in all chunks, including pooled ones.</summary>
    public long HeldBytes { get; private set; }

    /// <summary>The number of bytes in blocks that are in use, including their headers.</summary>
    public long AllocatedBytes { get; private set; }

    /// <summary>The number of pooled chunks, which contain no allocated block.</summary>
    public int Pooled => _pooled.Count;

    /// <summary>The number of chunks that have stayed in the pool since <see cref="BeginWatch"/>.</summary>
    public int Unused { get; private set; }

    /// <summary>Returns the number of bytes of a block with this capacity, including its header.</summary>
    public static long SizeOf(long bytes) => Math.Max((bytes + HeaderBytes + Alignment - 1) & ~(Alignment - 1), MinBlockBytes);

    /// <summary>Returns the number of bytes of an allocated block, including its header.</summary>
    public static long SizeOf(byte* block) => *Header(block) & SizeMask;

    /// <summary>Returns the number of bytes that the owner of a block can use.</summary>
    public static int Capacity(byte* block) => (int)(*Header(block) & SizeMask) - HeaderBytes;

    /// <summary>Returns the four bytes of a block's header in which the owner of the block can store data.</summary>
    public static ref uint Tag(byte* block) => ref *(uint*)(block - sizeof(uint));

    /// <summary>Adds a chunk. Returns false, and changes nothing, if the operating system refuses the memory.</summary>
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

    /// <summary>Allocates a block. The memory must have been reserved with <see cref="TryReserve"/>.</summary>
    public byte* Allocate(long bytes)
    {
        byte* block = TryAllocate(bytes);
        Invariant.Holds(block != null, "room for a block was made before");
        return block;
    }

    /// <summary>Allocates a block. Returns null if no chunk has enough space.</summary>
    public byte* TryAllocate(long bytes)
    {
        uint size = (uint)SizeOf(bytes);
        byte* block = Find(size);

        // When the last block of a chunk is freed, the chunk is pooled. Therefore, the reserved memory may be in a pooled chunk.
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

    /// <summary>
    /// Extends a block in place into the free block after it. Returns false, and changes nothing, if the next block is not free or is too small.
    /// </summary>
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

    /// <summary>Frees a block.</summary>
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

    /// <summary>Starts a period. At its end, <see cref="Unused"/> is the number of chunks that were pooled during the whole period.</summary>
    public void BeginWatch() => Unused = _pooled.Count;

    /// <summary>Removes a pooled chunk from the heap. The caller must release its memory.</summary>
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

    /// <summary>Returns a free block of at least this size, or null if there is none.</summary>
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

    // Adds a free block to the list of its class. A free block contains links to the next and the previous block of its class. Its last bytes contain its size,
    // so that its start can be found from the block after it.
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
