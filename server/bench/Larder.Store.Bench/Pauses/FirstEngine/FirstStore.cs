namespace Larder.Store.Bench.FirstEngine;

/// <summary>The first engine, divided into shards.</summary>
internal sealed class FirstStore : IFilled
{
    private const int Shards = 32;
    private readonly FirstShard[] _shards;
    private readonly ulong _seed = KeyHash.NewSeed();

    public FirstStore(long maxMemoryBytes)
    {
        var clock = new MonotonicClock(TimeProvider.System);
        _shards = [.. Enumerable.Range(0, Shards).Select(_ => new FirstShard(maxMemoryBytes / Shards, clock))];
    }

    public bool Get(ReadOnlySpan<byte> key, byte[] destination)
    {
        ulong hash = KeyHash.Compute(key, _seed);
        return _shards[hash % Shards].TryGet(new FirstProbe(hash, key), destination);
    }

    public void Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        ulong hash = KeyHash.Compute(key, _seed);
        _shards[hash % Shards].Set(new FirstProbe(hash, key), value, 3_600_000);
    }
}
