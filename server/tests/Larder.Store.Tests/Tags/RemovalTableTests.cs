namespace Larder.Store.Tests;

/// <summary>Tests of the table of removed tags. It is compared with a plain list, and read while it changes.</summary>
public sealed class RemovalTableTests
{
    private readonly RemovalTable _table = new();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void RemovalTable_matches_a_list_for_random_removals(int seed)
    {
        Random random = new(seed);
        List<(ulong Tag, long Number)> expected = [];
        for (long number = 1; number <= 30_000; number++)
        {
            // Three times, the table grows to several thousand tags and shrinks again.
            bool grows = number / 5_000 % 2 == 0;
            if (random.Next(10) < (grows ? 9 : 2))
            {
                ulong tag = (ulong)random.Next(6_000);
                bool isNew = expected.RemoveAll(removal => removal.Tag == tag) == 0;
                expected.Add((tag, number));
                Assert.Equal(isNew, _table.Put(tag, number));
            }
            else if (expected.Count > 0)
            {
                Assert.True(_table.TryPeekOldest(out long oldest));
                Assert.Equal(expected[0].Number, oldest);
                _table.RemoveOldest();
                expected.RemoveAt(0);
            }

            Assert.Equal(expected.Count, _table.Count);
            if (number % 500 == 0)
            {
                AssertHolds(expected);
            }
        }

        while (expected.Count > 0)
        {
            _table.RemoveOldest();
            expected.RemoveAt(0);
        }

        Assert.False(_table.TryPeekOldest(out _));
        _table.Put(1, 1);
        _table.Clear();
        Assert.False(_table.Contains(1) || _table.TryRead(1, out _));
        Assert.Equal(0, _table.Count);
    }

    [Fact]
    public async Task Concurrent_reader_finds_each_remaining_tag_with_its_removal_number()
    {
        const int Kept = 1_000;
        for (ulong tag = 0; tag < Kept; tag++)
        {
            Put(tag, (long)tag);
        }

        using CancellationTokenSource stop = new();
        Task[] readers = [.. Enumerable.Range(0, 2).Select(reader => Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                for (ulong tag = 0; tag < Kept; tag++)
                {
                    // For these tags, the writer uses only removal numbers whose remainder modulo Kept is the tag.
                    Assert.True(_table.TryRead(tag, out long number));
                    Assert.Equal((long)tag, number % Kept);
                    Assert.False(_table.TryRead(tag + 1_000_000_000, out _));
                }
            }
        }))];
        for (int round = 1; round <= 300; round++)
        {
            for (ulong tag = 0; tag < Kept; tag++)
            {
                Put(tag, (round * Kept) + (long)tag);
                Put(Kept + ((ulong)round * Kept) + tag, 0);
            }

            // Add the kept tags again, so that all other tags are older than them.
            for (ulong tag = 0; tag < Kept; tag++)
            {
                Put(tag, (round * Kept) + (long)tag);
            }

            lock (_table.Gate)
            {
                while (_table.Count > Kept)
                {
                    _table.RemoveOldest();
                }
            }
        }

        await stop.CancelAsync();
        await Task.WhenAll(readers);
    }

    [Fact]
    public void Replacing_tags_allocates_nothing()
    {
        for (ulong tag = 0; tag < 1_000; tag++)
        {
            _table.Put(tag, 1);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (ulong tag = 1_000; tag < 100_000; tag++)
        {
            _table.RemoveOldest();
            _table.Put(tag, 1);
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    private void Put(ulong tag, long number)
    {
        lock (_table.Gate)
        {
            _table.Put(tag, number);
        }
    }

    private void AssertHolds(List<(ulong Tag, long Number)> expected)
    {
        Dictionary<ulong, long> numbers = expected.ToDictionary(removal => removal.Tag, removal => removal.Number);
        for (ulong tag = 0; tag < 6_000; tag++)
        {
            Assert.Equal(numbers.TryGetValue(tag, out long number), _table.TryRead(tag, out long read));
            Assert.Equal(number, read);
            Assert.Equal(numbers.ContainsKey(tag), _table.Contains(tag));
        }
    }
}
