using Larder.Store;

namespace Larder.Server.Scans;

/// <summary>Shows a cache's keys page by page, wherever they are: ScanKeys and the console ask it.</summary>
internal interface IKeyScanner
{
    /// <summary>One page. Every key that is there from the first page of a scan to the last is on one of them at least (SCAN-1).</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="cursor">That of the page before, of whoever gave it; empty: the beginning.</param>
    /// <param name="query">Which keys, and about how many.</param>
    /// <param name="timeout">The time that it may take; null: as long as any call may.</param>
    ValueTask<KeyScanOutcome> ScanAsync(string cache, ReadOnlyMemory<byte> cursor, KeyQuery query, TimeSpan? timeout);
}
