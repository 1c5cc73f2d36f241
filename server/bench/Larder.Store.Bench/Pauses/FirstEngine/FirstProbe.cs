namespace Larder.Store.Bench.FirstEngine;

/// <summary>The key of a lookup, with its hash.</summary>
internal readonly ref struct FirstProbe(ulong hash, ReadOnlySpan<byte> key)
{
    public readonly ReadOnlySpan<byte> Key = key;
    public readonly ulong Hash = hash;
}
