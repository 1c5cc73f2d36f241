using BenchmarkDotNet.Attributes;

namespace Larder.FileStore.Bench;

/// <summary>
/// Measures a write by one cache followed by a read in a second cache with the same file, as between two processes. A second benchmark measures the write
/// alone, so that its time can be subtracted.
/// </summary>
public class Elsewhere
{
    private DistributedFileStoreCacheClass _writer = null!;
    private DistributedFileStoreCacheClass _reader = null!;
    private List<KeyValuePair<string, string>> _many = null!;
    private string[] _keys = null!;
    private int _next;

    /// <summary>The number of entries in the cache.</summary>
    [Params(100, 1_000, 10_000, 1_000_000)]
    public int Entries { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        World world = World.Of(Entries);
        _writer = world.Plain.Cache;
        _reader = world.Plain.OpenAgain();
        _many = [.. Enumerable.Range(0, 100).Select(i => new KeyValuePair<string, string>(Subject.Key(i), Subject.Value(i)))];
        _keys = [.. Enumerable.Range(0, 64).Select(Subject.Key)];
    }

    [GlobalCleanup]
    public void Cleanup() => _reader.Dispose();

    [Benchmark]
    public void FileStore_SetElsewhere() => _writer.Set(NextKey(), "value0123456789");

    [Benchmark]
    public string? FileStore_SetThenReadElsewhere()
    {
        string key = NextKey();
        _writer.Set(key, "value0123456789");
        return _reader.Get(key);
    }

    [Benchmark]
    public void FileStore_SetMany100Elsewhere() => _writer.SetMany(_many);

    [Benchmark]
    public string? FileStore_SetMany100ThenReadElsewhere()
    {
        _writer.SetMany(_many);
        return _reader.Get(_keys[0]);
    }

    private string NextKey() => _keys[_next++ & 63];
}
