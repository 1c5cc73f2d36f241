namespace Larder.Store.Collections;

/// <summary>Elements of a list by index.</summary>
/// <param name="Begin">The first.</param>
/// <param name="Count">How many; what is behind the list's end does not count.</param>
public readonly record struct ListRange(uint Begin, uint Count)
{
    /// <summary>The same ranges in order, those that meet or overlap joined.</summary>
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
