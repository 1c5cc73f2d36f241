using Larder.Store;

namespace Larder.Server.Scans;

/// <summary>Shows what a collection holds page by page, wherever it is: ScanItems asks it.</summary>
internal interface IItemScanner
{
    /// <summary>One page. What is there from the first page of a scan to the last is on one of them at least (ITEMS-1).</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The collection's key, 1 byte or more.</param>
    /// <param name="cursor">That of the page before, of whoever gave it; empty: the beginning.</param>
    /// <param name="count">Elements of a page, about, as <see cref="KeyQuery.Count"/>.</param>
    /// <param name="timeout">The time that it may take; null: as long as any call may.</param>
    ValueTask<ItemScanOutcome> ScanAsync(string cache, ReadOnlyMemory<byte> name, ReadOnlyMemory<byte> cursor, int count, TimeSpan? timeout);
}
