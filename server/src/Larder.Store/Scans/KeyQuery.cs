namespace Larder.Store;

/// <summary>The filter and page size of a scan.</summary>
public sealed record KeyQuery
{
    /// <summary>The default number of keys per page.</summary>
    public const int DefaultCount = 100;

    /// <summary>
    /// The maximum number of keys per page. This is about 300 KB of short keys with their metadata. One call visits at most twice this number of entries.
    /// </summary>
    public const int MaxCount = 4096;

    private readonly int _count = DefaultCount;

    /// <summary>Gets the required prefix of the keys. The default is empty and includes all keys.</summary>
    public ReadOnlyMemory<byte> Prefix { get; init; }

    /// <summary>Gets the required type of the items. The default is null and includes all types.</summary>
    public ItemType? Type { get; init; }

    /// <summary>
    /// Gets the approximate number of keys per page: 1 to <see cref="MaxCount"/>. Other values are clamped to this range; 0 means <see cref="DefaultCount"/>. A
    /// page may have fewer keys, or none, even if more pages follow.
    /// </summary>
    public int Count
    {
        get => _count;
        init => _count = CountOf(value);
    }

    /// <summary>Returns the page size for a requested number of keys or elements.</summary>
    public static int CountOf(int asked) => asked == 0 ? DefaultCount : Math.Clamp(asked, 1, MaxCount);
}
