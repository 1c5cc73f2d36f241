namespace Larder.Server.Fleet;

/// <summary>Compares byte sequences by content.</summary>
internal sealed class BytesComparer : IEqualityComparer<ReadOnlyMemory<byte>>
{
    public static readonly BytesComparer Instance = new();

    public bool Equals(ReadOnlyMemory<byte> x, ReadOnlyMemory<byte> y) => x.Span.SequenceEqual(y.Span);

    // HashCode uses a random seed per process, so a caller cannot choose colliding keys.
    public int GetHashCode(ReadOnlyMemory<byte> obj)
    {
        HashCode hash = default;
        hash.AddBytes(obj.Span);
        return hash.ToHashCode();
    }
}
