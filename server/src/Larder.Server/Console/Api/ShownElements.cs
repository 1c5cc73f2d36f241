using System.Globalization;
using Larder.Store;
using Larder.Store.Collections;

namespace Larder.Server.Console.Api;

/// <summary>
/// Collects the elements of one page of a collection. Only the beginning of each field, value and element is kept. If the total of these beginnings exceeds the
/// limit of a page, each of them is truncated further.
/// </summary>
internal readonly struct ShownElements(ItemType type) : ICollectionSink
{
    private readonly List<ElementAnswer> _shown = [];

    public void Begin(long elements) => _shown.Capacity = (int)Math.Min(elements, ConsoleApi.MaxElements);

    public void Accept(in CollectionElement element) => Add(element.Name, element.Name.Length, element.Value, element.Score);

    /// <summary>Adds a field with its value, or an element. <paramref name="name"/> may contain only the beginning of the field name or element.</summary>
    public void Add(ReadOnlySpan<byte> name, long nameBytes, ReadOnlySpan<byte> value = default, double score = 0) => _shown.Add(new ElementAnswer(
        name[..Math.Min(name.Length, ConsoleApi.MaxValueBytes)].ToArray(),
        nameBytes,
        type == ItemType.Dictionary ? value[..Math.Min(value.Length, ConsoleApi.MaxValueBytes)].ToArray() : null,
        value.Length,
        type == ItemType.SortedSet ? OfScore(score) : null));

    /// <summary>Adds the elements of a scanned page.</summary>
    public void Add(ElementPage page)
    {
        ReadOnlySpan<byte> bytes = page.Bytes.Span;
        foreach (CollectionItem one in page.Elements)
        {
            Add(bytes.Slice(one.NameAt, one.NameLength), one.NameLength, bytes.Slice(one.ValueAt, one.ValueLength), one.Score);
        }
    }

    /// <summary>Creates the response for a list or sorted set.</summary>
    /// <param name="count">The number of elements in the collection.</param>
    /// <param name="first">The position or rank of the first element of the page.</param>
    public ElementsAnswer ToAnswer(long count, uint first) => new(count, first, Cut(), PlaceCursor.Write(first + (long)_shown.Count, count));

    /// <summary>Creates the response for a dictionary or set.</summary>
    /// <param name="count">The number of elements in the collection.</param>
    /// <param name="cursor">The cursor of the next page; empty for the last page.</param>
    public ElementsAnswer ToAnswer(long count, byte[] cursor) => new(count, First: null, Cut(), cursor);

    private IReadOnlyList<ElementAnswer> Cut()
    {
        int most = ConsoleApi.MaxValueBytes;
        while (_shown.Sum(element => Math.Min(element.Name.Length, most) + (long)Math.Min(element.Value?.Length ?? 0, most)) > ConsoleApi.MaxPageBytes)
        {
            most /= 2;
        }

        byte[] Beginning(byte[] bytes) => bytes.Length <= most ? bytes : bytes[..most];
        return [.. _shown.Select(element => element with { Name = Beginning(element.Name), Value = element.Value is { } value ? Beginning(value) : null })];
    }

    private static string OfScore(double score) =>
        double.IsInfinity(score) ? (score > 0 ? "inf" : "-inf") : score.ToString(CultureInfo.InvariantCulture);
}
