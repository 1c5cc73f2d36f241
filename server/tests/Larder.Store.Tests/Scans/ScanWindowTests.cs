using System.Runtime.Intrinsics;

namespace Larder.Store.Tests;

/// <summary>Tests that the passes over a table find every word of their windows, for any distribution of the hashes.</summary>
public sealed unsafe class ScanWindowTests : IDisposable
{
    private readonly PageRegions _pages = new(64L << 20, new PageSource());
    private readonly Random _random = new(11);
    private IndexTable* _table;

    public void Dispose()
    {
        IndexTable.Destroy(_pages, _table);
        _pages.Dispose();
    }

    [Theory]
    [InlineData(0, 10, 1.0)]
    [InlineData(1, 10, 1.0)]
    [InlineData(30_000, int.MaxValue, 1.0)]

    // The last argument makes the number of words appear smaller, so that a window finds more words than its buffer can contain.
    [InlineData(30_000, int.MaxValue, 0.01)]

    // The hashes of all keys have only 3 or 50 different values.
    [InlineData(12_000, 3, 1.0)]
    [InlineData(12_000, 50, 0.01)]
    public void Scan_windows_return_every_index_word_once_in_order(int words, int hashes, double told)
    {
        _table = IndexTable.TryCreate(_pages, (uint)(words / IndexTable.SlotsPerGroup * 1.3) + 4);
        uint[] drawn = [.. Enumerable.Range(0, Math.Min(hashes, words)).Select(_ => (uint)_random.NextInt64(uint.MaxValue))];
        for (uint address = 1; address <= words; address++)
        {
            IndexTable.Insert(_table, IndexTable.Word(drawn[address % drawn.Length], address));
        }

        var window = new ScanWindow();
        HashSet<uint> found = [];
        ulong from = 0;
        while (from != ScanRank.End)
        {
            ulong until = window.Gather(_table, (long)(words * told), from);
            Assert.True(until > from);
            ulong last = from;
            foreach (ulong word in window.Found)
            {
                Assert.InRange(ScanWindow.RankOf(word), last, until - 1);
                Assert.Equal(ScanRank.Of(drawn[ScanWindow.AddressOf(word) % drawn.Length]), ScanWindow.RankOf(word));
                Assert.True(found.Add(ScanWindow.AddressOf(word)));
                last = ScanWindow.RankOf(word);
            }

            from = until;
        }

        Assert.Equal(words, found.Count);
    }

    [Fact]
    public void Ranks_are_unique_and_vectorized_ranks_match_scalar_ranks()
    {
        _table = IndexTable.TryCreate(_pages, 1);
        HashSet<uint> ranks = [];
        for (uint i = 0; i < 100_000; i += 8)
        {
            ulong[] words = [.. Enumerable.Range(0, 8).Select(at => ((ulong)_random.Next() << 32) | (i + (uint)at))];
            Vector512<long> together = ScanRank.Of(Vector512.Create(words));
            for (int at = 0; at < 8; at++)
            {
                Assert.Equal(ScanRank.Of((uint)words[at]), together[at]);
                Assert.True(ranks.Add((uint)together[at]));
            }
        }
    }
}
