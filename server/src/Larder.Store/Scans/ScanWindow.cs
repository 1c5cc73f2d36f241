using System.Numerics;
using System.Runtime.Intrinsics;

namespace Larder.Store;

/// <summary>The words of a table that have the next ranks, in order. One sequential pass over the table finds them.</summary>
internal sealed unsafe class ScanWindow
{
    // The number of words that a pass should find. The buffer has twice this size, because a pass may find more words by chance.
    private const int Wanted = 2048;

    private ulong[] _found = new ulong[2 * Wanted];
    private int _count;

    /// <summary>The words found, in ascending order. The upper half of a word is the rank, and the lower half is the address.</summary>
    public ReadOnlySpan<ulong> Found => _found.AsSpan(0, _count);

    public static uint RankOf(ulong found) => (uint)(found >> 32);

    public static uint AddressOf(ulong found) => (uint)found;

    /// <summary>Finds words, starting at a rank. Must be called within an epoch.</summary>
    /// <param name="table">The table.</param>
    /// <param name="entries">The approximate number of words in the table.</param>
    /// <param name="from">The lowest rank to include.</param>
    /// <returns>The exclusive end of the range of ranks. Every word in the range was found.</returns>
    public ulong Gather(IndexTable* table, long entries, ulong from)
    {
        _count = 0;
        ulong until = entries <= Wanted ? ScanRank.End : Math.Min(ScanRank.End, from + (ScanRank.End / (ulong)entries * Wanted));
        for (uint group = 0; group < table->Groups; group++)
        {
            ulong* slots = IndexTable.GroupAt(table, group);
            Vector512<long> ranks = ScanRank.Of(Vector512.Load(slots));
            Vector512<long> reached = Vector512.GreaterThanOrEqual(ranks, Vector512.Create((long)from));
            Vector512<long> below = Vector512.LessThan(ranks, Vector512.Create((long)until));
            for (ulong candidates = (reached & below).ExtractMostSignificantBits(); candidates != 0; candidates &= candidates - 1)
            {
                ulong word = Volatile.Read(ref slots[BitOperations.TrailingZeroCount(candidates)]);
                ulong rank = ScanRank.Of(IndexTable.HashOf(word));
                if (IndexTable.AddressOf(word) != 0 && rank >= from && rank < until)
                {
                    if (_count == _found.Length)
                    {
                        until = MakeRoom(until);
                    }

                    if (rank < until)
                    {
                        _found[_count++] = (rank << 32) | IndexTable.AddressOf(word);
                    }
                }
            }
        }

        _found.AsSpan(0, _count).Sort();
        return until;
    }

    /// <summary>
    /// Frees space in the full buffer. Discards the half of the words that have the higher ranks. If the lower half of the words all have the same rank,
    /// enlarges the buffer instead.
    /// </summary>
    private ulong MakeRoom(ulong until)
    {
        _found.AsSpan().Sort();
        ulong middle = RankOf(_found[_count / 2]);
        if (middle == RankOf(_found[0]))
        {
            Array.Resize(ref _found, 2 * _found.Length);
            return until;
        }

        _count /= 2;
        while (RankOf(_found[_count - 1]) == middle)
        {
            _count--;
        }

        return middle;
    }
}
