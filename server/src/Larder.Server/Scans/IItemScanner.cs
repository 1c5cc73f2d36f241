using Larder.Store;

namespace Larder.Server.Scans;

/// <summary>Scans the elements of a collection page by page, for ScanItems. The collection may be stored in this process or in a cluster.</summary>
internal interface IItemScanner
{
    /// <summary>Returns a page. Every element that exists during the whole scan is on at least one page (ITEMS-1).</summary>
    /// <param name="cache">The cache name.</param>
    /// <param name="name">The collection's key: at least one byte.</param>
    /// <param name="cursor">The cursor that the previous page returned; empty for the first page. A gateway also accepts cursors from other gateways.</param>
    /// <param name="count">The approximate number of elements per page, as in <see cref="KeyQuery.Count"/>.</param>
    /// <param name="timeout">The time limit; null for the default time limit of calls.</param>
    ValueTask<ItemScanOutcome> ScanAsync(string cache, ReadOnlyMemory<byte> name, ReadOnlyMemory<byte> cursor, int count, TimeSpan? timeout);
}
