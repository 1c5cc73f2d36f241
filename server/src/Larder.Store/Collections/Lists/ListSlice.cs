namespace Larder.Store.Collections;

/// <summary>A slice of a list. The start index is included, and the end index is excluded. Negative indices count from the end.</summary>
/// <param name="Start">The first index; null for the beginning of the list.</param>
/// <param name="End">The index after the last element; null for the end of the list.</param>
public readonly record struct ListSlice(int? Start = null, int? End = null)
{
    /// <summary>Returns the range of indices that the slice selects in a list with this many elements.</summary>
    /// <returns>The first index and the number of elements. The number is 0 if the slice is empty.</returns>
    internal (long First, long Count) Of(long elements)
    {
        long first = Start is { } start ? Math.Max(start < 0 ? elements + start : start, 0) : 0;
        long end = End is { } given ? Math.Min(given < 0 ? elements + given : given, elements) : elements;
        return (first, Math.Max(end - first, 0));
    }
}
