using System.Globalization;
using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.Caching.Memory;

namespace Larder.FileStore.Bench;

/// <summary>Reads of one entry; the key is another string object than the one that was set.</summary>
public class Reads
{
    private Dictionary<string, string> _dictionary = null!;
    private MemoryCache _memory = null!;
    private Subject _plain = null!;
    private Subject _expiring = null!;
    private Subject _json = null!;
    private DistributedFileStoreCacheString _cache = null!;
    private DistributedFileStoreCacheString _expiringCache = null!;
    private string _key = "";

    /// <summary>Entries in the cache.</summary>
    [Params(100, 1_000, 10_000, 1_000_000)]
    public int Entries { get; set; }

    /// <summary>Something to write as JSON.</summary>
    public sealed class Person
    {
        public string Name { get; set; } = "";

        public int Age { get; set; }
    }

    [GlobalSetup]
    public void Setup()
    {
        _plain = new Subject(Entries);
        _expiring = new Subject(Entries, withExpiry: true);
        _json = new Subject(100);
        _json.Cache.SetClass("person", new Person { Name = "Name", Age = 42 });
        _cache = _plain.Cache;
        _expiringCache = _expiring.Cache;
        _dictionary = Enumerable.Range(0, Entries).ToDictionary(Subject.Key, Subject.Value);
        _memory = new MemoryCache(new MemoryCacheOptions());
        foreach ((string key, string value) in _dictionary)
        {
            _memory.Set(key, value);
        }
        _key = string.Create(CultureInfo.InvariantCulture, $"key{Entries / 2:0000000}");
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _plain.Dispose();
        _expiring.Dispose();
        _json.Dispose();
        _memory.Dispose();
    }

    [Benchmark(Baseline = true)]
    public string? Dictionary_Get() => _dictionary.TryGetValue(_key, out string? value) ? value : null;

    [Benchmark]
    public string? FileStore_Get() => _cache.Get(_key);

    [Benchmark]
    public string? FileStore_GetWithExpiry() => _expiringCache.Get(_key);

    [Benchmark]
    public Task<string?> FileStore_GetAsync() => _cache.GetAsync(_key);

    [Benchmark]
    public Person? FileStore_GetClass() => _json.Cache.GetClass<Person>("person");

    [Benchmark]
    public IReadOnlyDictionary<string, string> FileStore_GetAllKeyValues() => _expiringCache.GetAllKeyValues();

    [Benchmark]
    public string? MemoryCache_Get() => _memory.Get<string>(_key);
}
