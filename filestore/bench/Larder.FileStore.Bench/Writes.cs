using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.Caching.Memory;

namespace Larder.FileStore.Bench;

/// <summary>Measures writes that replace existing entries.</summary>
public class Writes
{
    private const string NewValue = "value0123456789";
    private DistributedFileStoreCacheClass _cache = null!;
    private Dictionary<string, string> _dictionary = null!;
    private MemoryCache _memory = null!;
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
        _cache = world.Plain.Cache;
        _dictionary = world.Dictionary;
        _memory = world.Memory;
        _many = [.. Enumerable.Range(0, 100).Select(i => new KeyValuePair<string, string>(Subject.Key(i), Subject.Value(i)))];
        _keys = [.. Enumerable.Range(0, 64).Select(Subject.Key)];
    }

    [Benchmark]
    public void FileStore_Set() => _cache.Set(NextKey(), NewValue);

    [Benchmark]
    public void Dictionary_Set() => _dictionary[NextKey()] = NewValue;

    [Benchmark]
    public string MemoryCache_Set() => _memory.Set(NextKey(), NewValue);

    [Benchmark]
    public Task FileStore_SetAsync() => _cache.SetAsync(NextKey(), NewValue);

    [Benchmark]
    public void FileStore_SetMany100() => _cache.SetMany(_many);

    [Benchmark]
    public void Dictionary_SetMany100()
    {
        foreach ((string key, string value) in _many)
        {
            _dictionary[key] = value;
        }
    }

    [Benchmark]
    public void MemoryCache_SetMany100()
    {
        foreach ((string key, string value) in _many)
        {
            _memory.Set(key, value);
        }
    }

    private string NextKey() => _keys[_next++ & 63];
}
