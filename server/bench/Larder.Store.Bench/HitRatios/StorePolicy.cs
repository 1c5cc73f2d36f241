namespace Larder.Store.Bench;

/// <summary>The store itself with one shard, whose objects all have 16-byte keys and 100-byte values.</summary>
internal sealed class StorePolicy : IPolicy, IDisposable
{
    private const long TtlMs = 24 * 3_600_000;
    private readonly CacheStore _store;
    private readonly Cache _cache;
    private readonly byte[] _key = new byte[StoreContender.KeyBytes];
    private readonly byte[] _value = new byte[100];

    public StorePolicy(long maxMemoryBytes)
    {
        _store = new CacheStore(new CacheStoreOptions { MaxMemoryBytes = maxMemoryBytes, Shards = 1 });
        _store.CreateCache("bench");
        _cache = _store.Find("bench")!;
    }

    /// <summary>Returns the number of objects that a full store of this size contains.</summary>
    public static int Capacity(long maxMemoryBytes)
    {
        using var policy = new StorePolicy(maxMemoryBytes);
        long most = 0;
        for (int key = 0; key < maxMemoryBytes / 30; key++)
        {
            policy.Request(key);
            if (key % 1000 == 0)
            {
                most = Math.Max(most, policy._store.GetStatistics().Entries);
            }
        }

        return (int)most;
    }

    public bool Request(int key)
    {
        StoreContender.FormatKey(key, _key);
        var sink = new CopySink(_value);
        if (_cache.TryGet(_key, ref sink))
        {
            return true;
        }

        _cache.Set(_key, _value, TtlMs);
        return false;
    }

    public void Dispose() => _store.Dispose();
}
