namespace Larder.Store;

/// <summary>Compares cache names as UTF-8 bytes, so that a lookup by the bytes in the request metadata allocates no string.</summary>
internal sealed class Utf8NameComparer : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    private readonly ulong _seed = KeyHash.NewSeed();

    public static Utf8NameComparer Instance { get; } = new();

    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    public int GetHashCode(byte[] obj) => GetHashCode(obj.AsSpan());

    public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

    public int GetHashCode(ReadOnlySpan<byte> alternate) => (int)KeyHash.Compute(alternate, _seed);

    public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();
}
