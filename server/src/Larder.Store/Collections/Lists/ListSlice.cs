namespace Larder.Store.Collections;

/// <summary>A slice by index: from the first up to, but not including, the last. Negative indices count from the end.</summary>
/// <param name="Start">The first index; null: from the beginning.</param>
/// <param name="End">The index after the last; null: to the end.</param>
public readonly record struct ListSlice(int? Start = null, int? End = null)
{
    /// <summary>The slice of so many elements.</summary>
    /// <returns>The first index, and how many; 0 where it is empty.</returns>
    internal (long First, long Count) Of(long elements)
    {
        long first = Start is { } start ? Math.Max(start < 0 ? elements + start : start, 0) : 0;
        long end = End is { } given ? Math.Min(given < 0 ? elements + given : given, elements) : elements;
        return (first, Math.Max(end - first, 0));
    }
}
