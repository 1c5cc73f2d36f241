using System.Diagnostics;
using Larder.Server.Scans;
using Larder.Store;

namespace Larder.Server.Console.Api;

/// <summary>Finds keys for the page, wherever they are: pages of a scan, until there are enough to show or it has taken long enough.</summary>
internal sealed class KeySearch(IKeyScanner scanner)
{
    // What has been found by then is shown, and the next page goes on.
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

    // A key may be a megabyte; one that cannot be looked at is shown by its beginning.
    private static KeyAnswer Shown(ScannedKey key) => new(
        key.Key.Length <= ConsoleApi.MaxKeyBytes ? key.Key : key.Key[..KeyBeginning],
        key.Key.Length,
        ItemTypeName.Of(key.Type),
        key.RemainingMs,
        key.Bytes);
}
