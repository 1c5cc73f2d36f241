using Larder.Client.Codecs;

namespace Larder.Client;

/// <summary>How a <see cref="TypedCache{T}"/> stores.</summary>
public sealed record TypedCacheOptions
{
    /// <summary>
    /// Values whose bytes are more than this are compressed (zlib), where they become smaller: 0 to 2,147,483,647 bytes. Default: null, none. Reading does not
    /// depend on it.
    /// </summary>
    public int? CompressAbove { get; init; }

    /// <summary>
    /// The longest value that is stored and read, in bytes before compression: 1 to 1,073,741,824. The default is 8 MiB (8,388,608 bytes). A few kilobytes can
    /// decompress to the whole of it; the elements and the depth of a value are limited by its codec (<see cref="DecodeLimits"/>).
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
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxDecodedBytes, ValueEnvelope.MostDecodedBytes);
    }
}
