namespace Larder.Store;

/// <summary>What a lookup asks for: a key's bytes, their hash, and the space (one cache between two flushes) it is looked up in.</summary>
internal readonly ref struct Probe(ulong hash, Space space, ReadOnlySpan<byte> key)
{
    public readonly ReadOnlySpan<byte> Key = key;
    public readonly Space Space = space;
    public readonly ulong Hash = hash;
}
