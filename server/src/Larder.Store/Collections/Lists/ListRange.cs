namespace Larder.Store.Collections;

/// <summary>A range of list elements, by index.</summary>
/// <param name="Begin">The index of the first element.</param>
/// <param name="Count">The number of elements. Positions after the end of the list are ignored.</param>
public readonly record struct ListRange(uint Begin, uint Count)
{
    /// <summary>Returns the ranges in sorted order. Adjacent and overlapping ranges are merged.</summary>
    public static ReadOnlySpan<ListRange> Apart(ReadOnlySpan<ListRange> ranges)
    {
        ListRange[] sorted = ranges.ToArray();
        Array.Sort(sorted, static (one, other) => one.Begin.CompareTo(other.Begin));
        int joined = 0;
        for (int i = 0; i < sorted.Length; i++)
        {
            ListRange range = sorted[i];
            if (joined > 0 && range.Begin <= (ulong)sorted[joined - 1].Begin + sorted[joined - 1].Count)
            {
                ListRange last = sorted[joined - 1];
                ulong end = Math.Max((ulong)last.Begin + last.Count, (ulong)range.Begin + range.Count);
                sorted[joined - 1] = new ListRange(last.Begin, (uint)Math.Min(end - last.Begin, uint.MaxValue));
            }
            else
            {
                sorted[joined++] = range;
            }
        }

        return sorted.AsSpan(0, joined);
    }
}
