namespace Larder.Store;

/// <summary>Which keys a scan shows, and how many at a time.</summary>
public sealed record KeyQuery
{
    /// <summary>Keys of a page where the caller does not say.</summary>
    public const int DefaultCount = 100;

    /// <summary>Most keys of a page: with their metadata some 300 KB of short keys, and half of what one call looks at.</summary>
    public const int MaxCount = 4096;

    private readonly int _count = DefaultCount;

    /// <summary>What a key begins with; empty, the default: any.</summary>
    public ReadOnlyMemory<byte> Prefix { get; init; }

    /// <summary>What the items hold; null, the default: anything.</summary>
    public ItemType? Type { get; init; }

    /// <summary>
    /// Keys of a page, about: 1 to <see cref="MaxCount"/>, others are brought into that range, and 0 is <see cref="DefaultCount"/>. A page may have fewer, or
    /// none, though more follow.
    /// </summary>
    public int Count
    {
        get => _count;
        init => _count = CountOf(value);
    }

    /// <summary>How many keys, or elements, a page has where so many are asked for.</summary>
    public static int CountOf(int asked) => asked == 0 ? DefaultCount : Math.Clamp(asked, 1, MaxCount);
}
