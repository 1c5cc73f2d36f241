namespace Larder.Store;

/// <summary>The state of one call of a scan: the keys found, and the work done.</summary>
/// <param name="query">The filter and page size.</param>
internal sealed class KeyScan(KeyQuery query)
{
    // The maximum number of entries that one call visits. Each entry usually causes a cache miss of the processor, so this takes about 1 ms.
    private const int MaxScanned = 8192;

    // The number of table slots after which a call reads no further table. Reading this number of slots (8 MB) sequentially takes 0.5 ms. A larger table is
    // read completely.
    private const long MaxPassed = 1 << 20;

    // The maximum number of bytes of a page's keys, with an overhead per key. The key that reaches the limit is still returned, regardless of its length. The
    // page stays far below the message limit of 10.5 MB.
    private const long MaxBytes = 1 << 20;
    private const int OverheadBytesPerElement = 32;

    private readonly List<ScannedKey> _keys = [];
    private long _bytes;
    private int _looked;
    private long _passed;

    /// <summary>The next entries of the shard, ordered by rank.</summary>
    public ScanWindow Window { get; } = new();

    public IReadOnlyList<ScannedKey> Keys => _keys;

    /// <summary>Whether the page has space and the call may visit more entries.</summary>
    public bool HasRoom => _keys.Count < query.Count && _bytes < MaxBytes && _looked < MaxScanned;

    /// <summary>Whether the call may read another table.</summary>
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
