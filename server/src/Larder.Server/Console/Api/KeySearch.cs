using System.Diagnostics;
using Larder.Server.Scans;
using Larder.Store;

namespace Larder.Server.Console.Api;

/// <summary>
/// Finds keys for the page, whether this process or a cluster stores them. The scan stops when the page is full or the time limit is reached.
/// </summary>
internal sealed class KeySearch(IKeyScanner scanner)
{
    // The time limit of a scan. The keys found until then are shown, and the next page continues the scan.
    private static readonly TimeSpan LongestSearch = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan LongestScan = TimeSpan.FromSeconds(5);

    private const int KeyBeginning = 1_024;

    public async Task<KeysAnswer> FindAsync(KeysRequest request)
    {
        List<KeyAnswer> found = [];
        byte[] cursor = request.Cursor;
        long startedAt = Stopwatch.GetTimestamp();
        do
        {
            KeyQuery query = new() { Prefix = request.Prefix, Type = ItemTypeName.Parse(request.Type), Count = ConsoleApi.MaxKeys - found.Count };
            KeyScanOutcome outcome = await scanner.ScanAsync(request.Cache, cursor, query, LongestScan).ConfigureAwait(false);
            KeyPage page = outcome.Page ?? throw ApiException.OfScan(outcome.Error!);
            found.AddRange(page.Keys.Select(Shown));
            cursor = page.Cursor;
        }
        while (cursor.Length > 0 && found.Count < ConsoleApi.MaxKeys && Stopwatch.GetElapsedTime(startedAt) < LongestSearch);
        return new KeysAnswer(found, cursor);
    }

    // A key may have up to 1 MB. If it is too long to be viewed, only its beginning is shown.
    private static KeyAnswer Shown(ScannedKey key) => new(
        key.Key.Length <= ConsoleApi.MaxKeyBytes ? key.Key : key.Key[..KeyBeginning],
        key.Key.Length,
        ItemTypeName.Of(key.Type),
        key.RemainingMs,
        key.Bytes);
}
