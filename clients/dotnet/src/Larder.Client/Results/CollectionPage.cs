using System.Globalization;

namespace Larder.Client;

/// <summary>
/// One page of a collection's entries. <see cref="Type"/> determines whether the entries are in <see cref="Fields"/>, <see cref="Elements"/> or
/// <see cref="ScoredElements"/>. The other two lists are empty.
/// </summary>
public readonly record struct CollectionPage
{
    private readonly IReadOnlyList<DictionaryField>? _fields;
    private readonly IReadOnlyList<CacheValue>? _elements;
    private readonly IReadOnlyList<ScoredElement>? _scoredElements;

    internal CollectionPage(CacheItemType type, ReadOnlyMemory<byte> cursor)
    {
        Type = type;
        Cursor = cursor;
    }

    /// <summary>Gets the collection's type. It is never <see cref="CacheItemType.Scalar"/>.</summary>
    public CacheItemType Type { get; }

    /// <summary>Gets the cursor for the next call. It is empty on the last page.</summary>
    public ReadOnlyMemory<byte> Cursor { get; }

    /// <summary>Gets the fields of a dictionary with their values, in no particular order.</summary>
    public IReadOnlyList<DictionaryField> Fields
    {
        get => _fields ?? [];
        internal init => _fields = value;
    }

    /// <summary>Gets the elements of a set, in no particular order, or the elements of a list, in the list's order.</summary>
    public IReadOnlyList<CacheValue> Elements
    {
        get => _elements ?? [];
        internal init => _elements = value;
    }

    /// <summary>Gets the elements of a sorted set with their scores, in no particular order.</summary>
    public IReadOnlyList<ScoredElement> ScoredElements
    {
        get => _scoredElements ?? [];
        internal init => _scoredElements = value;
    }

    /// <summary>Gets the number of entries on the page. It may be 0 although more pages follow.</summary>
    public int Count => Fields.Count + Elements.Count + ScoredElements.Count;

    /// <summary>Returns the number of entries and the collection's type.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Count} of a {Type}");
}
