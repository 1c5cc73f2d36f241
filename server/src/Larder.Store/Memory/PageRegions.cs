using System.Numerics;

namespace Larder.Store;

/// <summary>
/// A store's native memory: zeroed blocks of whole pages, cut from large mappings. The system lets a process have 65,530 mappings
/// (vm.max_map_count); with one for each segment a store would reach that at about 9 GiB. A region holds blocks of one size, a power of two:
/// what a block has beyond the bytes asked for is address space that nobody touches. A free block's memory is given back, its address
/// space kept; a region without blocks is unmapped, but for one of each size. Safe from any thread.
/// </summary>
internal sealed unsafe class PageRegions : IDisposable
{
    // 64 MiB: 256 GiB are 4,096 mappings, or 8,192 where every block was just over a power of two.
    private const long MaxRegionBytes = 64 << 20;
    private const long MinRegionBytes = 1 << 20;

    // Regions of a small store are a part of it, so that what it maps is not many times its limit.
    private const int RegionsPerStore = 16;

    // A block over this part of a region is a mapping of its own: there can be few.
    private const int BlocksPerRegion = 4;

    private readonly PageSource _source;
    private readonly long _regionBytes;
    private readonly Lock _lock = new();
    private readonly SortedList<nint, PageRegion> _regions = [];
    private readonly List<PageRegion>[] _withRoom;
    private long _failedReleases;
    private long _refusals;

    public PageRegions(long storeBytes, PageSource source)
    {
        _source = source;
        _regionBytes = (long)BitOperations.RoundUpToPowerOf2((ulong)Math.Clamp(storeBytes / RegionsPerStore, MinRegionBytes, MaxRegionBytes));
        _withRoom = [.. Enumerable.Range(0, ClassOf(_regionBytes)).Select(_ => new List<PageRegion>())];
    }

    /// <summary>Mappings that hold blocks of several.</summary>
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

    /// <summary>How often memory could not be given back to the system; it is used again, or lost until the process ends.</summary>
    public long FailedReleases => Volatile.Read(ref _failedReleases);

    /// <summary>How often the system refused memory.</summary>
    public long Refusals => Volatile.Read(ref _refusals);

    /// <summary>Takes zeroed memory.</summary>
    /// <returns>Where, at a page's start; or null where the system refuses it.</returns>
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

    /// <summary>Takes zeroed memory.</summary>
    /// <exception cref="InsufficientMemoryException">The system refuses it.</exception>
    public byte* Allocate(long bytes)
    {
        byte* at = TryAllocate(bytes);
        return at != null ? at : throw Refused(bytes);
    }

    /// <summary>Gives back what was allocated with the same size.</summary>
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
            List<PageRegion> withRoom = _withRoom[ClassOf(region.BlockBytes)];
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

    /// <summary>Gives back all regions, with the blocks in them; blocks that are mappings of their own are freed one by one before.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            foreach (PageRegion region in _regions.Values)
            {
                Unmap(region.Start, region.Bytes);
            }

            _regions.Clear();
            Array.ForEach(_withRoom, regions => regions.Clear());
        }
    }

    public static InsufficientMemoryException Refused(long bytes) => new($"The operating system refused {bytes} bytes for the store.");

    private static long BlockBytesFor(long bytes) => (long)BitOperations.RoundUpToPowerOf2((ulong)Math.Max(bytes, Environment.SystemPageSize));

    private static int ClassOf(long blockBytes) => BitOperations.Log2((ulong)(blockBytes / Environment.SystemPageSize));

    private byte* Cut(long blockBytes)
    {
        lock (_lock)
        {
            List<PageRegion> withRoom = _withRoom[ClassOf(blockBytes)];
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

    /// <summary>The last region that starts at the address or before.</summary>
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
