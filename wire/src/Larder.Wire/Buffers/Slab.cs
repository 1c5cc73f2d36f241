using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Larder.Wire;

/// <summary>
/// One large array that is divided into blocks of whole pages (<see cref="PageBytes"/>). The array is pinned, so the memory of its free pages can be returned
/// to the system. Blocks are reused without garbage collections. Not thread-safe.
/// </summary>
internal sealed unsafe partial class Slab
{
    /// <summary>The size of a page, in bytes. Blocks of at most this size come from the shared array pool.</summary>
    public const int PageBytes = 64 * 1024;

    /// <summary>
    /// The number of pages in a slab. A slab has 32 MB in total, which is enough for two messages of maximum size while both grow. Only pages that have been
    /// written use physical memory.
    /// </summary>
    public const int Pages = 512;

    private const int WordBits = 64;
    private const int DontNeed = 4;

    private readonly byte[] _array;
    private readonly int _firstOffset;

    // The pages in use, one bit per page.
    private readonly ulong[] _taken = new ulong[Pages / WordBits];
    private readonly ulong[] _touched = new ulong[Pages / WordBits];

    /// <summary>Allocates the array.</summary>
    /// <exception cref="OutOfMemoryException">The system is out of memory.</exception>
    public Slab()
    {
        nuint systemPage = (nuint)Environment.SystemPageSize;
        _array = GC.AllocateUninitializedArray<byte>((Pages * PageBytes) + (int)systemPage, pinned: true);
        _firstOffset = (int)((systemPage - (Address(0) % systemPage)) % systemPage);
    }

    /// <summary>Gets the number of pages in use.</summary>
    public int TakenPages { get; private set; }

    /// <summary>Returns whether the block belongs to this slab.</summary>
    public bool Owns(ArraySegment<byte> block) => ReferenceEquals(block.Array, _array);

    /// <summary>Takes the first free run of pages that is long enough.</summary>
    public bool TryTake(int pages, out ArraySegment<byte> block)
    {
        int first = FindRun(pages);
        block = first < 0 ? default : new ArraySegment<byte>(_array, _firstOffset + (first * PageBytes), pages * PageBytes);
        if (first >= 0)
        {
            Mark(first, pages);
        }

        return first >= 0;
    }

    /// <summary>Extends a block in place. Returns false if the pages after it are not free.</summary>
    public bool TryLengthen(ref ArraySegment<byte> block, int pages)
    {
        int first = PageOf(block);
        int held = block.Count / PageBytes;
        if (first + pages > Pages || NextTaken(first + held) < first + pages)
        {
            return false;
        }

        Mark(first + held, pages - held);
        block = new ArraySegment<byte>(_array, block.Offset, pages * PageBytes);
        return true;
    }

    /// <summary>Frees the pages of a block.</summary>
    public void Give(ArraySegment<byte> block)
    {
        int first = PageOf(block);
        int pages = block.Count / PageBytes;
        for (int page = first; page < first + pages; page++)
        {
            _taken[page / WordBits] &= ~Bit(page);
        }

        TakenPages -= pages;
    }

    /// <summary>
    /// Releases the memory of free pages that have been used, so that the system can reuse the memory. Returns the number of bytes that could not be released,
    /// because the system does not support this operation.
    /// </summary>
    public int ReleaseFreePages()
    {
        int kept = 0;
        for (int page = 0; page < Pages; page++)
        {
            if (IsSet(_taken, page) || !IsSet(_touched, page))
            {
                continue;
            }

            int end = page;
            while (end < Pages && !IsSet(_taken, end) && IsSet(_touched, end))
            {
                _touched[end / WordBits] &= ~Bit(end);
                end++;
            }

            int bytes = (end - page) * PageBytes;
            kept += TryGive(_firstOffset + (page * PageBytes), bytes) ? 0 : bytes;
            page = end;
        }

        return kept;
    }

    private static ulong Bit(int page) => 1UL << (page % WordBits);

    private static bool IsSet(ulong[] pages, int page) => (pages[page / WordBits] & Bit(page)) != 0;

    private int PageOf(ArraySegment<byte> block) => (block.Offset - _firstOffset) / PageBytes;

    private nuint Address(int offset) => (nuint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_array)) + (nuint)offset;

    private bool TryGive(int offset, int bytes) => OperatingSystem.IsLinux() && MemoryAdvise(Address(offset), (nuint)bytes, DontNeed) == 0;

    private void Mark(int first, int pages)
    {
        for (int page = first; page < first + pages; page++)
        {
            _taken[page / WordBits] |= Bit(page);
            _touched[page / WordBits] |= Bit(page);
        }

        TakenPages += pages;
    }

    private int FindRun(int pages)
    {
        int free = NextFree(0);
        while (free + pages <= Pages)
        {
            int taken = NextTaken(free);
            if (taken - free >= pages)
            {
                return free;
            }

            free = NextFree(taken);
        }

        return -1;
    }

    private int NextFree(int page) => Next(page, ~0UL);

    private int NextTaken(int page) => Next(page, 0);

    // Returns the first page, starting at the given one, whose bit is 1 after XOR with the mask. Returns Pages if there is no such page.
    private int Next(int page, ulong invert)
    {
        for (int word = page / WordBits; word < _taken.Length; word++)
        {
            ulong bits = _taken[word] ^ invert;
            if (word == page / WordBits)
            {
                bits &= ~0UL << (page % WordBits);
            }

            if (bits != 0)
            {
                return (word * WordBits) + BitOperations.TrailingZeroCount(bits);
            }
        }

        return Pages;
    }

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static partial int MemoryAdvise(nuint address, nuint length, int advice);
}
