namespace Larder.Client.Codecs;

/// <summary>
/// The limits of the values that <see cref="JsonCodec{T}"/> and the MessagePack codec read and write. The codecs check the encoded bytes, before any object is
/// created (CODEC-10). The number of bytes is limited by <see cref="TypedCacheOptions.MaxDecodedBytes"/>.
/// </summary>
public sealed record DecodeLimits
{
    // The limit bounds the memory of a decoded value. The most expensive payload has one element per byte, each an empty map. A decoded empty map takes about
    // 80 bytes in .NET, 65 in Node and 90 in Python, including references to it. 1,000,000 of them take less than 100 MB. Without this limit, an item of the
    // maximum size (5,000,192 bytes, LIM-1) could contain five times as many.
    private const int DefaultMaxElements = 1_000_000;

    // Python's msgpack writes at most 511 levels, and MessagePack for C# reads 500 levels by default. A level takes at most about 1 KB of the thread's stack,
    // which has 1 MB.
    private const int DefaultMaxDepth = 512;

    // A higher limit would have little use, because Python's msgpack and JSON decoders reject values with more than about 1,000 levels.
    private const int LargestMaxDepth = 1_024;

    internal static DecodeLimits Default { get; } = new();

    /// <summary>
    /// Gets the maximum number of elements of a value: 1 to 2,147,483,647. The value itself, each item of an array, each key of a map and each value of a map
    /// count as one element. The default is 1,000,000.
    /// </summary>
    public int MaxElements { get; init; } = DefaultMaxElements;

    /// <summary>
    /// Gets the maximum number of nested arrays and maps: 1 to 1,024. The default is 512. JSON is also limited by
    /// <see cref="System.Text.Json.JsonSerializerOptions.MaxDepth"/>, whose default is 64.
    /// </summary>
    public int MaxDepth { get; init; } = DefaultMaxDepth;

    internal string TooManyElements => $"The value has more than {MaxElements:N0} elements ({nameof(MaxElements)}).";

    internal string TooDeep => $"The value is nested more than {MaxDepth:N0} levels deep ({nameof(MaxDepth)}).";

    /// <exception cref="ArgumentOutOfRangeException">A limit is out of its range.</exception>
    internal void Check()
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxElements, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxDepth, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxDepth, LargestMaxDepth);
    }
}
