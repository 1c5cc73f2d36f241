namespace Larder.Server.Metrics;

/// <summary>A key in a table: the name of its cache, its first bytes and its length.</summary>
internal sealed class SampledKey
{
    /// <summary>The maximum number of stored bytes of a key. Two keys are considered equal if their stored bytes and their lengths are equal.</summary>
    public const int KeptBytes = 128;

    private readonly byte[] _bytes = new byte[KeptBytes];
    private int _kept;

    public string Cache { get; private set; } = "";

    /// <summary>Gets the length of the whole key in bytes.</summary>
    public int Length { get; private set; }

    /// <summary>Gets the first bytes of the key, at most <see cref="KeptBytes"/>.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _kept);

    public void Set(string cache, ReadOnlySpan<byte> key)
    {
        Cache = cache;
        Length = key.Length;
        _kept = Math.Min(key.Length, KeptBytes);
        key[.._kept].CopyTo(_bytes);
    }

    public bool Is(string cache, ReadOnlySpan<byte> key) =>
        key.Length == Length && key[.._kept].SequenceEqual(Bytes) && string.Equals(cache, Cache, StringComparison.Ordinal);

    /// <summary>Returns the hash with which the tables look up keys.</summary>
    public static int HashOf(string cache, ReadOnlySpan<byte> key)
    {
        HashCode hash = default;
        hash.AddBytes(key[..Math.Min(key.Length, KeptBytes)]);
        hash.Add(key.Length);
        hash.Add(cache.Length);
        return hash.ToHashCode();
    }
}
