using System.Numerics;
using System.Runtime.InteropServices;

namespace Larder.Server.Near;

/// <summary>
/// The stream numbers that are registered for a ticket with many streams: a list of 2 bytes per stream while it is small, then a bit set. Not thread-safe.
/// </summary>
/// <remarks>The first cell contains the number of streams. In a list, the numbers follow. In a bit set, the words begin at the fifth cell.</remarks>
/// <param name="cells">The cells.</param>
internal readonly struct NearSet(ushort[] cells)
{
    private const int MinCells = 8;
    private const int CellsOfWord = 4;
    private const int BitsOfWord = 64;

    /// <summary>Gets the cells.</summary>
    public ushort[] Cells => cells;

    /// <summary>Gets the number of streams.</summary>
    public int Count => cells[0];

    // The length of a list is a power of two. The length of a bit set is odd.
    private bool IsBits => (cells.Length & 1) != 0;

    private Span<ulong> Words => MemoryMarshal.Cast<ushort, ulong>(cells.AsSpan(CellsOfWord, cells.Length - CellsOfWord - 1));

    private Span<ushort> Numbers => cells.AsSpan(1, Count);

    /// <summary>Creates a list of numbers.</summary>
    public static NearSet Of(ReadOnlySpan<ushort> numbers)
    {
        ushort[] cells = new ushort[MinCells];
        cells[0] = (ushort)numbers.Length;
        numbers.CopyTo(cells.AsSpan(1));
        return new NearSet(cells);
    }

    /// <summary>Returns whether the set contains a number.</summary>
    public bool Contains(int number) => IsBits ? (Words[number / BitsOfWord] >> (number % BitsOfWord) & 1) != 0 : Numbers.Contains((ushort)number);

    /// <summary>Adds a number that the set does not contain.</summary>
    /// <param name="number">The number.</param>
    /// <param name="capacity">The numbers are less than this.</param>
    /// <returns>The set, with other cells if it had to grow.</returns>
    public NearSet With(int number, int capacity)
    {
        NearSet set = !IsBits && Count + 1 == cells.Length ? Grown(capacity) : this;
        if (set.IsBits)
        {
            set.Words[number / BitsOfWord] |= 1UL << (number % BitsOfWord);
        }
        else
        {
            set.Cells[1 + Count] = (ushort)number;
        }

        set.Cells[0]++;
        return set;
    }

    /// <summary>Removes a number. Returns false if the set does not contain it.</summary>
    public bool Remove(int number)
    {
        if (IsBits)
        {
            if (!Contains(number))
            {
                return false;
            }

            Words[number / BitsOfWord] &= ~(1UL << (number % BitsOfWord));
        }
        else
        {
            int at = Numbers.IndexOf((ushort)number);
            if (at < 0)
            {
                return false;
            }

            Numbers[at] = Numbers[^1];
        }

        cells[0]--;
        return true;
    }

    /// <summary>Copies the numbers. <paramref name="into"/> has at least <see cref="Count"/> elements.</summary>
    public void CopyTo(Span<ushort> into)
    {
        if (!IsBits)
        {
            Numbers.CopyTo(into);
            return;
        }

        int count = 0;
        ReadOnlySpan<ulong> words = Words;
        for (int word = 0; word < words.Length; word++)
        {
            for (ulong bits = words[word]; bits != 0; bits &= bits - 1)
            {
                into[count++] = (ushort)((word * BitsOfWord) + BitOperations.TrailingZeroCount(bits));
            }
        }
    }

    /// <summary>Adds 1 to the counts of the numbers. Does not allocate memory.</summary>
    public void CountInto(int[] counts)
    {
        if (!IsBits)
        {
            foreach (ushort number in Numbers)
            {
                counts[number]++;
            }

            return;
        }

        ReadOnlySpan<ulong> words = Words;
        for (int word = 0; word < words.Length; word++)
        {
            for (ulong bits = words[word]; bits != 0; bits &= bits - 1)
            {
                counts[(word * BitsOfWord) + BitOperations.TrailingZeroCount(bits)]++;
            }
        }
    }

    /// <summary>Returns a list of at most half the size if it takes at most a quarter of the cells, otherwise null.</summary>
    public NearSet? Shrunk()
    {
        int needed = 1 + Count;
        if (cells.Length <= MinCells || needed > cells.Length / 4)
        {
            return null;
        }

        try
        {
            NearSet smaller = new(new ushort[Math.Max(MinCells, (int)BitOperations.RoundUpToPowerOf2((uint)needed + 1))]);
            CopyTo(smaller.Cells.AsSpan(1));
            smaller.Cells[0] = cells[0];
            return smaller;
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }

    // A list doubles until it is about as large as a bit set.
    private NearSet Grown(int capacity)
    {
        int cellsOfBits = CellsOfWord + (CellsOfWord * ((capacity + BitsOfWord - 1) / BitsOfWord)) + 1;
        if (2 * cells.Length < cellsOfBits)
        {
            ushort[] longer = new ushort[2 * cells.Length];
            cells.CopyTo(longer, 0);
            return new NearSet(longer);
        }

        NearSet bits = new(new ushort[cellsOfBits]);
        foreach (ushort number in Numbers)
        {
            bits.Words[number / BitsOfWord] |= 1UL << (number % BitsOfWord);
        }

        bits.Cells[0] = cells[0];
        return bits;
    }
}
