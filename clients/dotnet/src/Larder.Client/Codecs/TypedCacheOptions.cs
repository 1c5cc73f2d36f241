using Larder.Client.Codecs;

namespace Larder.Client;

/// <summary>The options of a <see cref="TypedCache{T}"/>.</summary>
public sealed record TypedCacheOptions
{
    /// <summary>
    /// Gets the length in bytes above which encoded values are compressed with zlib: 0 to 2,147,483,647. A value that compression does not make smaller is
    /// stored uncompressed. The default is null: values are never compressed. Compressed values can be read regardless of this option.
    /// </summary>
    public int? CompressAbove { get; init; }

    /// <summary>
    /// Gets the maximum length of a value that is stored or read, in bytes before compression: 1 to 1,073,741,824. The default is 8 MiB (8,388,608 bytes). This
    /// option limits the memory that one read can use, because a few kilobytes of compressed data can decompress to a value of this length. The elements and
    /// the depth of a value are limited by <see cref="DecodeLimits"/>.
    /// </summary>
    public int MaxDecodedBytes { get; init; } = ValueEnvelope.DefaultMaxDecodedBytes;

    /// <summary>
    /// Gets whether the near cache keeps decoded objects. A near cache hit then does not decode the value again: all callers get the same object, and must not
    /// change it. The default is null: objects of immutable types are kept. These types are strings, value types without references, and sealed classes with
    /// <c>[ImmutableObject(true)]</c>. Without a near cache (<see cref="Configuration.NearCache"/>), this option has no effect. Use one codec instance for all
    /// typed caches of a type, because an object is kept for the codec instance that decoded it.
    /// </summary>
    public bool? KeepObjects { get; init; }

    /// <summary>
    /// Gets a function that returns the memory that a kept object uses, in bytes: 0 or more. It counts against <see cref="NearCache.MaxBytes"/> in addition to
    /// the encoded value. The default is null: an object counts as the length of its encoded value. If the function throws, the caller of the cache gets the
    /// exception.
    /// </summary>
    public Func<object, long>? ObjectBytes { get; init; }

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
