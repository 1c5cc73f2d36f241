namespace Larder.Store.Bench;

/// <summary>Larder's store with one cache.</summary>
internal sealed class LarderFilled : IFilled, IDisposable
{
    public LarderFilled(long maxMemoryBytes)
    {
        Store = new CacheStore(new CacheStoreOptions { MaxMemoryBytes = maxMemoryBytes });
        Store.CreateCache("bench");
        Cache = Store.Find("bench")!;
    }

    public CacheStore Store { get; }

    public Cache Cache { get; }

    public bool Get(ReadOnlySpan<byte> key, byte[] destination)
    {
        var sink = new CopySink(destination);
        return Cache.TryGet(key, ref sink);
    }

    public void Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) => Cache.Set(key, value, 3_600_000);

    public void Dispose() => Store.Dispose();
}
