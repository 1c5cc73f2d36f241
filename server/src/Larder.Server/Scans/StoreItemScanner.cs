using Larder.Server.Calls;
using Larder.Server.Services;
using Larder.Store;
using Larder.Store.Collections;

namespace Larder.Server.Scans;

/// <summary>
/// Scans collections of the server's own store. The scan runs on the thread pool, because copying a page of up to 1 MB would delay the reading thread.
/// </summary>
internal sealed class StoreItemScanner(CallRouting routing) : IItemScanner
{
    public ValueTask<ItemScanOutcome> ScanAsync(string cache, ReadOnlyMemory<byte> name, ReadOnlyMemory<byte> cursor, int count, TimeSpan? timeout)
    {
        if (!CacheName.IsValid(cache))
        {
            return new ValueTask<ItemScanOutcome>(CallError.NoCacheName);
        }

        if (routing.Store.Find(cache) is not { } found)
        {
            return new ValueTask<ItemScanOutcome>(CallError.CacheNotFound(cache));
        }

        return routing.Guard.IsResuming()
            ? new ValueTask<ItemScanOutcome>(CallError.Resuming)
            : new ValueTask<ItemScanOutcome>(Task.Run(() => Scan(found, name.Span, cursor.Span, count)));
    }

    private static ItemScanOutcome Scan(Cache cache, ReadOnlySpan<byte> name, ReadOnlySpan<byte> cursor, int count) =>
        cache.ScanItems(name, cursor, count, out ElementPage? page) switch
        {
            CollectionOutcome.Ok => page!,
            CollectionOutcome.Missing => ItemScanOutcome.Missing,
            CollectionOutcome.ForeignCursor => ScanErrors.ForeignItemCursor,
            _ => ScanErrors.NoCollection,
        };
}
