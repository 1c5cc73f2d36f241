using System.Buffers;
using System.Text;
using Larder.Harness.Clocks;

namespace Larder.Store.Tests;

/// <summary>
/// A store with one cache and a manual clock. Keys and values are text. Freed memory is overwritten, so that reads of it are detected. The invariants are
/// checked on disposal.
/// </summary>
internal sealed class StoreFixture : IDisposable
{
    public const long Hour = 3_600_000;

    public StoreFixture(long maxMemoryBytes = 64L << 20, int shards = 0, PageSource? source = null)
    {
        var options = new CacheStoreOptions { MaxMemoryBytes = maxMemoryBytes, TimeProvider = Clock, Shards = shards };
        Store = new CacheStore(options, poisonFreedMemory: true, source);
        Assert.True(Store.CreateCache("cache"));
        Cache = Store.Find("cache")!;
    }

    public ManualTime Clock { get; } = new() { HoldsTimers = true };

    public CacheStore Store { get; }

    public Cache Cache { get; }

    public void Set(string key, string value, long ttlMs = Hour) => Cache.Set(Bytes(key), Bytes(value), ttlMs);

    public bool SetIf(string key, string value, in SetCondition condition, long ttlMs = Hour) => Cache.SetIf(Bytes(key), Bytes(value), ttlMs, condition);

    public string? Get(string key) => Get(Cache, key);

    public static string? Get(Cache cache, string key) => Get(cache, Bytes(key));

    public static string? Get(Cache cache, byte[] key)
    {
        var buffer = new ArrayBufferWriter<byte>();
        return cache.TryGet(key, buffer) ? Encoding.UTF8.GetString(buffer.WrittenSpan) : null;
    }

    public static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    public static byte[] Hash(string value)
    {
        byte[] hash = new byte[Cache.ValueHashBytes];
        Cache.HashValue(Bytes(value), hash);
        return hash;
    }

    public void Dispose()
    {
        Store.AssertValid();
        Store.Dispose();
    }
}
