namespace Larder.Store.Bench.FirstEngine;

/// <summary>A key to look up, with its hash.</summary>
internal readonly ref struct FirstProbe(ulong hash, ReadOnlySpan<byte> key)
{
    public readonly ReadOnlySpan<byte> Key = key;
    public readonly ulong Hash = hash;
}
