namespace Larder.Store;

/// <summary>The filter and page size of a scan.</summary>
public sealed record KeyQuery
{
    /// <summary>The default number of keys per page.</summary>
    public const int DefaultCount = 100;

    /// <summary>The maximum number of keys per page: about 300 KB of short keys with their metadata, and half of what one call visits.</summary>
    public const int MaxCount = 4096;

    private readonly int _count = DefaultCount;

    /// <summary>Gets the required prefix of the keys. The default is empty: all keys.</summary>
    public ReadOnlyMemory<byte> Prefix { get; init; }

    /// <summary>Gets the required type of the items. The default is null: all types.</summary>
    public ItemType? Type { get; init; }

    /// <summary>
    /// Gets the approximate number of keys per page: 1 to <see cref="MaxCount"/>. Other values are clamped to this range; 0 means <see cref="DefaultCount"/>.
    /// A page may have fewer keys, or none, although more pages follow.
    /// </summary>
    public int Count
    {
        get => _count;
        init => _count = CountOf(value);
    }

    /// <summary>Returns the page size for a requested number of keys or elements.</summary>
    public static int CountOf(int asked) => asked == 0 ? DefaultCount : Math.Clamp(asked, 1, MaxCount);
}
