using Larder.Client.Codecs;

namespace Larder.Client;

/// <summary>Options of a <see cref="TypedCache{T}"/>.</summary>
public sealed record TypedCacheOptions
{
    /// <summary>
    /// Gets the length above which values are compressed with zlib, if they become smaller: 0 to 2,147,483,647 bytes. The default is null: never. Decoding does
    /// not depend on it.
    /// </summary>
    public int? CompressAbove { get; init; }

    /// <summary>
    /// Gets the maximum length of a value that is stored or read, in bytes before compression: 1 to 1,073,741,824. The default is 8 MiB (8,388,608 bytes). A
    /// few kilobytes can decompress to this length. The codec limits the elements and the depth of a value (<see cref="DecodeLimits"/>).
    /// </summary>
    public int MaxDecodedBytes { get; init; } = ValueEnvelope.DefaultMaxDecodedBytes;

    /// <exception cref="ArgumentOutOfRangeException">A setting is out of its range.</exception>
    internal void Check()
    {
        if (CompressAbove is { } above)
        {
            ArgumentOutOfRangeException.ThrowIfNegative(above, nameof(CompressAbove));
        }

        ArgumentOutOfRangeException.ThrowIfLessThan(MaxDecodedBytes, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxDecodedBytes, ValueEnvelope.DecodedBytesLimit);
    }
}
