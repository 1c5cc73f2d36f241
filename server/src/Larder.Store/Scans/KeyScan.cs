namespace Larder.Store;

/// <summary>The state of one call of a scan: the keys found, and the work done.</summary>
/// <param name="query">The filter and page size.</param>
internal sealed class KeyScan(KeyQuery query)
{
    // Maximum number of entries that one call visits. Each is usually a cache miss, so this takes about 1 ms.
    private const int MaxScanned = 8192;

    // Maximum number of table slots that one call passes: 8 MB read sequentially, 0.5 ms. A larger table is passed as a whole.
    private const long MaxPassed = 1 << 20;

    // Maximum bytes of a page's keys, with an overhead per key. The key that reaches the limit is still returned, whatever its length, which stays far below
    // the message limit of 10.5 MB.
    private const long MaxBytes = 1 << 20;
    private const int OverheadBytesPerElement = 32;

    private readonly List<ScannedKey> _keys = [];
    private long _bytes;
    private int _looked;
    private long _passed;

    /// <summary>The next entries of the shard, by rank.</summary>
    public ScanWindow Window { get; } = new();

    public IReadOnlyList<ScannedKey> Keys => _keys;

    /// <summary>Whether the page has space, and the call may visit more entries.</summary>
    public bool HasRoom => _keys.Count < query.Count && _bytes < MaxBytes && _looked < MaxScanned;

    /// <summary>Whether the call may pass another table.</summary>
    public bool MayPass => HasRoom && _passed < MaxPassed;

    public void Passed(long slots) => _passed += slots;

    public void Looked() => _looked++;

    public bool Wants(ReadOnlySpan<byte> key, ItemType type) =>
        (query.Type is not { } wanted || wanted == type) && key.StartsWith(query.Prefix.Span);

    public void Add(ScannedKey key)
    {
        _keys.Add(key);
        _bytes += key.Key.Length + OverheadBytesPerElement;
    }
}
