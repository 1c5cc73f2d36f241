namespace Larder.Store;

/// <summary>One call of a scan: what it has shown, and how much it has looked at.</summary>
/// <param name="query">What is asked for.</param>
internal sealed class KeyScan(KeyQuery query)
{
    // Entries that one call looks at, whatever is asked for: each is a line of memory that was seldom just used, so a millisecond.
    private const int MaxLooked = 8192;

    // Slots of tables that one call passes: 8 MB read in order, half a millisecond. A larger table is passed whole.
    private const long MaxPassed = 1 << 20;

    // Bytes of a page's keys, each with this much beside it. The key that reaches it is still shown, whatever its length: below the limit of a message,
    // 10.5 MB, by far.
    private const long MaxBytes = 1 << 20;
    private const int BytesBeside = 32;

    private readonly List<ScannedKey> _keys = [];
    private long _bytes;
    private int _looked;
    private long _passed;

    /// <summary>The words that are next in a shard.</summary>
    public ScanWindow Window { get; } = new();

    public IReadOnlyList<ScannedKey> Keys => _keys;

    /// <summary>Whether the page takes more, and the call may look at more.</summary>
    public bool HasRoom => _keys.Count < query.Count && _bytes < MaxBytes && _looked < MaxLooked;

    /// <summary>Whether the call may pass another table.</summary>
    public bool MayPass => HasRoom && _passed < MaxPassed;

    public void Passed(long slots) => _passed += slots;

    public void Looked() => _looked++;

    public bool Wants(ReadOnlySpan<byte> key, ItemType type) =>
        (query.Type is not { } wanted || wanted == type) && key.StartsWith(query.Prefix.Span);

    public void Add(ScannedKey key)
    {
        _keys.Add(key);
        _bytes += key.Key.Length + BytesBeside;
    }
}
