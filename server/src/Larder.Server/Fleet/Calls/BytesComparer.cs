namespace Larder.Server.Fleet;

/// <summary>Bytes by their content.</summary>
internal sealed class BytesComparer : IEqualityComparer<ReadOnlyMemory<byte>>
{
    public static readonly BytesComparer Instance = new();

    public bool Equals(ReadOnlyMemory<byte> x, ReadOnlyMemory<byte> y) => x.Span.SequenceEqual(y.Span);

    // With a seed of the process's own: a caller cannot choose keys that collide.
    public int GetHashCode(ReadOnlyMemory<byte> obj)
    {
        HashCode hash = default;
        hash.AddBytes(obj.Span);
        return hash.ToHashCode();
    }
}
