using Larder.Server.Calls;
using Larder.Server.Services;
using Larder.Store;

namespace Larder.Server.Scans;

/// <summary>
/// Scans the keys of the server's own store. The scan runs on the thread pool, because a page takes 1 to 2 ms, which would delay the reading thread.
/// </summary>
internal sealed class StoreKeyScanner(CallRouting routing) : IKeyScanner
{
    public ValueTask<KeyScanOutcome> ScanAsync(string cache, ReadOnlyMemory<byte> cursor, KeyQuery query, TimeSpan? timeout)
    {
        if (!CacheName.IsValid(cache))
        {
            return new ValueTask<KeyScanOutcome>(CallError.NoCacheName);
        }

        if (routing.Store.Find(cache) is not { } found)
        {
            return new ValueTask<KeyScanOutcome>(CallError.CacheNotFound(cache));
        }

        return routing.Guard.IsResuming()
            ? new ValueTask<KeyScanOutcome>(CallError.Resuming)
            : new ValueTask<KeyScanOutcome>(Task.Run<KeyScanOutcome>(() => Scan(found, cursor.Span, query)));
    }

    private static KeyScanOutcome Scan(Cache cache, ReadOnlySpan<byte> cursor, KeyQuery query) =>
        cache.Scan(cursor, query) is { } page ? page : ScanErrors.ForeignCursor;
}
