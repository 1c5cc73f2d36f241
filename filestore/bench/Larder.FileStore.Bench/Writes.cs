using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.Caching.Memory;

namespace Larder.FileStore.Bench;

/// <summary>Writes of entries that are there already.</summary>
public class Writes
{
    private Subject _subject = null!;
    private MemoryCache _memory = null!;
    private List<KeyValuePair<string, string>> _many = null!;
    private string[] _keys = null!;
    private int _next;

    /// <summary>Entries in the cache.</summary>
    [Params(100, 1_000, 10_000, 1_000_000)]
    public int Entries { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        World world = World.Of(Entries);
        _subject = world.Plain;
        _memory = world.Memory;
        _many = [.. Enumerable.Range(0, 100).Select(i => new KeyValuePair<string, string>(Subject.Key(i), Subject.Value(i)))];
        _keys = [.. Enumerable.Range(0, 64).Select(Subject.Key)];
    }

    [Benchmark]
    public void FileStore_Set() => _subject.Cache.Set(NextKey(), "value0123456789");

    [Benchmark]
    public Task FileStore_SetAsync() => _subject.Cache.SetAsync(NextKey(), "value0123456789");

    [Benchmark]
    public void FileStore_SetMany100() => _subject.Cache.SetMany(_many);

    [Benchmark]
    public string MemoryCache_Set() => _memory.Set(NextKey(), "value0123456789");

    private string NextKey() => _keys[_next++ & 63];
}
