using System.Globalization;

namespace Larder.Client;

/// <summary>A page of a cache's keys.</summary>
public readonly record struct KeyPage
{
    private readonly IReadOnlyList<ScannedKey>? _keys;

    internal KeyPage(IReadOnlyList<ScannedKey> keys, ReadOnlyMemory<byte> cursor)
    {
        _keys = keys;
        Cursor = cursor;
    }

    /// <summary>Gets the keys, in no particular order. The list may be empty although more pages follow.</summary>
    public IReadOnlyList<ScannedKey> Keys => _keys ?? [];

    /// <summary>Gets the cursor for the next call. It is empty on the last page.</summary>
    public ReadOnlyMemory<byte> Cursor { get; }

    /// <summary>Returns the number of keys.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Keys.Count} keys");
}
