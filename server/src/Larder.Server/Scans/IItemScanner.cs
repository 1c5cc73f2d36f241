using Larder.Store;

namespace Larder.Server.Scans;

/// <summary>Scans the elements of a collection page by page, for ScanItems, wherever the collection is stored.</summary>
internal interface IItemScanner
{
    /// <summary>Returns a page. Every element that exists during the whole scan is on at least one page (ITEMS-1).</summary>
    /// <param name="cache">The cache name.</param>
    /// <param name="name">The collection's key: at least one byte.</param>
    /// <param name="cursor">The cursor of the previous page; empty to start. A gateway also accepts cursors from other gateways.</param>
    /// <param name="count">The approximate number of elements per page, as in <see cref="KeyQuery.Count"/>.</param>
    /// <param name="timeout">The time limit; null for the default of all calls.</param>
    ValueTask<ItemScanOutcome> ScanAsync(string cache, ReadOnlyMemory<byte> name, ReadOnlyMemory<byte> cursor, int count, TimeSpan? timeout);
}
