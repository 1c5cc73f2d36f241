using System.Numerics;

namespace Larder.Store;

/// <summary>
/// A store's native memory. It allocates zeroed blocks of whole pages from large mappings, which are called regions. Large mappings are used because Linux
/// allows a process only 65,530 mappings (vm.max_map_count). With one mapping per segment, a store would reach this limit at about 9 GiB. All blocks of a
/// region have the same size, which is a power of two. The part of a block after the requested bytes is address space that is never accessed. When a block is
/// freed, its memory is released, but its address space is kept. A region without blocks is unmapped, except for one region of each size. Thread-safe.
/// </summary>
internal sealed unsafe class PageRegions : IDisposable
{
    // With regions of 64 MiB, 256 GiB need 4,096 mappings, or 8,192 if every block is slightly larger than a power of two.
    private const long MaxRegionBytes = 64 << 20;
    private const long MinRegionBytes = 1 << 20;

    // A small store has smaller regions, so that its address space is not many times its memory limit.
    private const int RegionsPerStore = 16;

    // A block that is larger than this fraction of a region gets its own mapping. The number of such blocks is small.
    private const int BlocksPerRegion = 4;

    private readonly PageSource _source;
    private readonly long _regionBytes;
    private readonly Lock _lock = new();
    private readonly SortedList<nint, PageRegion> _regions = [];
    private readonly List<PageRegion>[] _withFreeSpace;
    private long _failedReleases;
    private long _refusals;

    public PageRegions(long storeBytes, PageSource source)
    {
        _source = source;
        _regionBytes = (long)BitOperations.RoundUpToPowerOf2((ulong)Math.Clamp(storeBytes / RegionsPerStore, MinRegionBytes, MaxRegionBytes));
        _withFreeSpace = [.. Enumerable.Range(0, ClassOf(_regionBytes)).Select(_ => new List<PageRegion>())];
    }

    /// <summary>The number of regions. Large blocks are not counted, because they have their own mappings.</summary>
    public int Regions
    {
        get
        {
            lock (_lock)
            {
                return _regions.Count;
            }
        }
    }

    /// <summary>
    /// The number of times that memory could not be released to the operating system. Such memory is reused, or it stays allocated until the process exits.
    /// </summary>
    public long FailedReleases => Volatile.Read(ref _failedReleases);

    /// <summary>The number of times that the operating system refused memory.</summary>
    public long Refusals => Volatile.Read(ref _refusals);

    /// <summary>Allocates zeroed memory.</summary>
    /// <returns>The page-aligned address, or null if the operating system refuses the memory.</returns>
    public byte* TryAllocate(long bytes)
    {
        long block = BlockBytesFor(bytes);
        byte* at = block > _regionBytes / BlocksPerRegion ? _source.Map(bytes) : Cut(block);
        if (at == null)
        {
            Interlocked.Increment(ref _refusals);
        }

        return at;
    }

    /// <summary>Allocates zeroed memory.</summary>
    /// <exception cref="InsufficientMemoryException">The operating system refuses the memory.</exception>
    public byte* Allocate(long bytes)
    {
        byte* at = TryAllocate(bytes);
        return at != null ? at : throw Refused(bytes);
    }

    /// <summary>Frees memory. The size must equal the size that was requested for the allocation.</summary>
    public void Free(byte* at, long bytes)
    {
        if (BlockBytesFor(bytes) > _regionBytes / BlocksPerRegion)
        {
            Unmap(at, bytes);
            return;
        }

        Count(_source.Discard(at, bytes));
        lock (_lock)
        {
            PageRegion region = RegionOf(at);
            List<PageRegion> withRoom = _withFreeSpace[ClassOf(region.BlockBytes)];
            if (region.IsFull)
            {
                withRoom.Add(region);
            }

            region.GiveBack(at);
            if (region.Used == 0 && withRoom.Count > 1)
            {
                withRoom.Remove(region);
                _regions.Remove((nint)region.Start);
                Unmap(region.Start, region.Bytes);
            }
        }
    }

    /// <summary>Releases all regions with their blocks. Blocks with their own mappings must have been freed before.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            foreach (PageRegion region in _regions.Values)
            {
                Unmap(region.Start, region.Bytes);
            }

            _regions.Clear();
            Array.ForEach(_withFreeSpace, regions => regions.Clear());
        }
    }

    public static InsufficientMemoryException Refused(long bytes) => new($"The operating system refused to allocate {bytes} bytes for the store.");

    private static long BlockBytesFor(long bytes) => (long)BitOperations.RoundUpToPowerOf2((ulong)Math.Max(bytes, Environment.SystemPageSize));

    private static int ClassOf(long blockBytes) => BitOperations.Log2((ulong)(blockBytes / Environment.SystemPageSize));

    private byte* Cut(long blockBytes)
    {
        lock (_lock)
        {
            List<PageRegion> withRoom = _withFreeSpace[ClassOf(blockBytes)];
            if (withRoom.Count == 0)
            {
                byte* start = _source.Map(_regionBytes);
                if (start == null)
                {
                    return null;
                }

                var made = new PageRegion(start, _regionBytes, blockBytes);
                _regions.Add((nint)start, made);
                withRoom.Add(made);
            }

            PageRegion region = withRoom[^1];
            byte* at = region.Take();
            if (region.IsFull)
            {
                withRoom.RemoveAt(withRoom.Count - 1);
            }

            return at;
        }
    }

    /// <summary>Returns the region that contains the address, which is the last region that starts at or before this address.</summary>
    private PageRegion RegionOf(byte* at)
    {
        IList<nint> starts = _regions.Keys;
        int low = 0;
        int high = starts.Count - 1;
        while (low < high)
        {
            int middle = (low + high + 1) / 2;
            if (starts[middle] <= (nint)at)
            {
                low = middle;
            }
            else
            {
                high = middle - 1;
            }
        }

        return _regions.Values[low];
    }

    private void Unmap(byte* at, long bytes)
    {
        if (!_source.Unmap(at, bytes))
        {
            Count(false);
            _ = _source.Discard(at, bytes);
        }
    }

    private void Count(bool released)
    {
        if (!released)
        {
            Interlocked.Increment(ref _failedReleases);
        }
    }
}
