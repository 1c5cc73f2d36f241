namespace Larder.Store.Bench.FirstEngine;

/// <summary>What a lookup asks for: a key's bytes and their hash.</summary>
internal readonly ref struct FirstProbe(ulong hash, ReadOnlySpan<byte> key)
{
    public readonly ReadOnlySpan<byte> Key = key;
    public readonly ulong Hash = hash;
}
