using Larder.Store;

namespace Larder.Server.Scans;

/// <summary>Scans the keys of a cache page by page, for ScanKeys and the console. The keys may be stored in this process or in a cluster.</summary>
internal interface IKeyScanner
{
    /// <summary>Returns a page. Every key that exists during the whole scan is on at least one page (SCAN-1).</summary>
    /// <param name="cache">The cache name.</param>
    /// <param name="cursor">The cursor that the previous page returned; empty for the first page. A gateway also accepts cursors from other gateways.</param>
    /// <param name="query">The filter and the approximate page size.</param>
    /// <param name="timeout">The time limit; null for the default time limit of calls.</param>
    ValueTask<KeyScanOutcome> ScanAsync(string cache, ReadOnlyMemory<byte> cursor, KeyQuery query, TimeSpan? timeout);
}
