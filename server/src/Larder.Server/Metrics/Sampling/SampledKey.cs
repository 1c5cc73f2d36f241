namespace Larder.Server.Metrics;

/// <summary>A key as a table keeps it: its cache, its beginning, and how long it is.</summary>
internal sealed class SampledKey
{
    /// <summary>Bytes of a key that are kept; two keys are told apart by these and by their lengths.</summary>
    public const int KeptBytes = 128;

    private readonly byte[] _bytes = new byte[KeptBytes];
    private int _kept;

    public string Cache { get; private set; } = "";

    /// <summary>The whole key's length, in bytes.</summary>
    public int Length { get; private set; }

    /// <summary>Its first bytes, <see cref="KeptBytes"/> at most.</summary>
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

    /// <summary>What tables look it up by.</summary>
    public static int HashOf(string cache, ReadOnlySpan<byte> key)
    {
        HashCode hash = default;
        hash.AddBytes(key[..Math.Min(key.Length, KeptBytes)]);
        hash.Add(key.Length);
        hash.Add(cache.Length);
        return hash.ToHashCode();
    }
}
