namespace Larder.Server.Near;

/// <summary>A change of the keys with a ticket, and the streams that must be notified of it.</summary>
/// <param name="Ticket">The ticket.</param>
/// <param name="Word">Up to four stream numbers (<see cref="NearWord"/>).</param>
/// <param name="Cells">The stream numbers if there are more (<see cref="NearSet"/>); otherwise null.</param>
internal readonly record struct NearChange(uint Ticket, ulong Word, ushort[]? Cells)
{
    /// <summary>Gets the number of streams.</summary>
    public int Count => Cells is null ? NearWord.Count(Word) : new NearSet(Cells).Count;

    /// <summary>Adds 1 to the counts of the streams. Does not allocate memory.</summary>
    public void CountInto(int[] counts)
    {
        if (Cells is not null)
        {
            new NearSet(Cells).CountInto(counts);
            return;
        }

        Span<ushort> numbers = stackalloc ushort[NearWord.MaxStreams];
        NearWord.CopyTo(Word, numbers);
        foreach (ushort number in numbers[..Count])
        {
            counts[number]++;
        }
    }

    /// <summary>Copies the stream numbers. <paramref name="into"/> has at least <see cref="Count"/> elements.</summary>
    public void CopyTo(Span<ushort> into)
    {
        if (Cells is null)
        {
            NearWord.CopyTo(Word, into);
        }
        else
        {
            new NearSet(Cells).CopyTo(into);
        }
    }
}
