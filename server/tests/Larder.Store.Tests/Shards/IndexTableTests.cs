namespace Larder.Store.Tests;

/// <summary>
/// Tests of the index table without a shard. Existing words are found. The search for a missing word stays short while entries are added and removed.
/// </summary>
public sealed unsafe class IndexTableTests : IDisposable
{
    private const uint Groups = 2003;

    private readonly PageRegions _pages = new(64L << 20, new PageSource());
    private readonly Random _random = new(7);
    private readonly List<nint> _tables = [];

    public void Dispose()
    {
        _tables.ForEach(table => IndexTable.Destroy(_pages, (IndexTable*)table));
        _pages.Dispose();
    }

    [Theory]
    [InlineData(1, 0.9)]
    [InlineData(4, 0.96)]
    [InlineData(5, 1)]
    [InlineData(600, 0.96)]
    public void Index_word_is_found_until_removed(uint groups, double load)
    {
        IndexTable* table = Create(groups);
        List<ulong> words = Fill(table, load);
        for (int round = 0; round < 20_000; round++)
        {
            int at = _random.Next(words.Count);
            IndexTable.Remove(table, IndexTable.SlotOf(table, words[at]));
            words[at] = NewWord();
            IndexTable.Insert(table, words[at]);
        }

        words.ForEach(word => Assert.Equal(word, *IndexTable.SlotOf(table, word)));
        words.ForEach(word => IndexTable.Remove(table, IndexTable.SlotOf(table, word)));
        for (uint at = 0; at < table->Slots; at++)
        {
            Assert.Equal(0u, IndexTable.GroupAt(table, 0)[at]);
        }
    }

    /// <summary>
    /// Tests the number of groups that a lookup of a missing key visits. With a purely sequential probe path, it was 105 groups at a load of 87 %, and all
    /// groups at 96 %.
    /// </summary>
    [Theory]
    [InlineData(0.70, 2)]
    [InlineData(0.80, 3)]
    [InlineData(0.87, 5)]
    [InlineData(0.90, 15)]
    public void Lookup_of_missing_key_visits_few_groups_after_many_changes(double load, double groupsAtMost)
    {
        IndexTable* table = Create(Groups);
        var words = new Queue<ulong>(Fill(table, load));
        for (int i = words.Count * 20; i > 0; i--)
        {
            IndexTable.Remove(table, IndexTable.SlotOf(table, words.Dequeue()));
            ulong word = NewWord();
            words.Enqueue(word);
            IndexTable.Insert(table, word);
        }

        Assert.InRange(Enumerable.Range(0, 10_000).Average(_ => PathOf(table, (uint)_random.NextInt64())), 1, groupsAtMost);
    }

    [Fact]
    public void Lookup_terminates_when_all_groups_have_overflowed()
    {
        IndexTable* table = Create(7);
        foreach (ulong word in Fill(table, 1))
        {
            IndexTable.Remove(table, IndexTable.SlotOf(table, word));
            for (int i = 0; i < 200; i++)
            {
                ulong other = NewWord();
                IndexTable.Insert(table, other);
                IndexTable.Remove(table, IndexTable.SlotOf(table, other));
            }

            IndexTable.Insert(table, word);
        }

        for (int i = 0; i < 1000; i++)
        {
            Assert.InRange(PathOf(table, (uint)_random.NextInt64()), 1, 7 + 5);
        }
    }

    private static int PathOf(IndexTable* table, uint hash)
    {
        uint group = IndexTable.Home(table, hash);
        uint step = 0;
        int groups = 1;
        while (IndexTable.TryNext(table, hash, ref group, ref step))
        {
            groups++;
        }

        return groups;
    }

    private IndexTable* Create(uint groups)
    {
        IndexTable* table = IndexTable.TryCreate(_pages, groups);
        _tables.Add((nint)table);
        return table;
    }

    private List<ulong> Fill(IndexTable* table, double load)
    {
        List<ulong> words = [];
        while (words.Count + 1 <= table->Slots * load)
        {
            words.Add(NewWord());
            IndexTable.Insert(table, words[^1]);
        }

        return words;
    }

    private ulong NewWord() => IndexTable.Word((uint)_random.NextInt64(), (uint)_random.Next(1, int.MaxValue));
}
