using System.Globalization;
using System.Text.Json;
using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.Caching.Memory;

namespace Larder.FileStore.Bench;

/// <summary>
/// Measures reads of one entry and of all entries. The key that is read is a different string object from the key that was set, so reads cannot compare
/// references.
/// </summary>
public class Reads
{
    private Dictionary<string, string> _dictionary = null!;
    private MemoryCache _memory = null!;
    private MemoryCache _expiringMemory = null!;
    private DistributedFileStoreCacheClass _cache = null!;
    private DistributedFileStoreCacheClass _expiringCache = null!;
    private string _key = "";

    /// <summary>The number of entries in the cache.</summary>
    [Params(100, 1_000, 10_000, 1_000_000)]
    public int Entries { get; set; }

    /// <summary>A class that is stored as JSON.</summary>
    public sealed class Person
    {
        public string Name { get; set; } = "";

        public int Age { get; set; }
    }

    [GlobalSetup]
    public void Setup()
    {
        World world = World.Of(Entries);
        _cache = world.Plain.Cache;
        _expiringCache = world.Expiring.Cache;
        _dictionary = world.Dictionary;
        _memory = world.Memory;
        _expiringMemory = world.ExpiringMemory;
        _cache.SetClass("person", new Person { Name = "Name", Age = 42 });
        _dictionary["person"] = JsonSerializer.Serialize(new Person { Name = "Name", Age = 42 });
        _key = string.Create(CultureInfo.InvariantCulture, $"key{Entries / 2:0000000}");
    }

    [Benchmark]
    public string? Dictionary_Get() => _dictionary.TryGetValue(_key, out string? value) ? value : null;

    [Benchmark]
    public string? FileStore_Get() => _cache.Get(_key);

    [Benchmark]
    public string? MemoryCache_Get() => _memory.Get<string>(_key);

    [Benchmark]
    public string? FileStore_GetWithExpiry() => _expiringCache.Get(_key);

    [Benchmark]
    public string? MemoryCache_GetWithExpiry() => _expiringMemory.Get<string>(_key);

    [Benchmark]
    public Task<string?> FileStore_GetAsync() => _cache.GetAsync(_key);

    [Benchmark]
    public Person? FileStore_GetClass() => _cache.GetClass<Person>("person");

    [Benchmark]
    public Person? Dictionary_GetClass() => JsonSerializer.Deserialize<Person>(_dictionary["person"]);

    [Benchmark]
    public IReadOnlyDictionary<string, string> FileStore_GetAllKeyValues() => _expiringCache.GetAllKeyValues();
}
