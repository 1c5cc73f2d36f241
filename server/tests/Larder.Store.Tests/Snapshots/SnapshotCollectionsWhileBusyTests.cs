using System.Globalization;
using Larder.Store.Collections;
using Larder.Store.Snapshots;
using Larder.Store.Tests.Collections;

namespace Larder.Store.Tests.Snapshots;

/// <summary>
/// Tests with collections of many pieces that change while they are written. Elements that exist during the whole time are included once, and in order.
/// </summary>
public sealed class SnapshotCollectionsWhileBusyTests : IDisposable
{
    // The elements fill several blocks.
    private const int Elements = 50_000;
    private readonly SnapshotPair _pair = new(bytesAfter: 256L << 20, shards: 1, bytesBefore: 256L << 20);
    private readonly CollectionFixture _before;
    private readonly CollectionFixture _after;

    public SnapshotCollectionsWhileBusyTests()
    {
        _before = new CollectionFixture(_pair.Before);
        _after = new CollectionFixture(_pair.After);
    }

    public void Dispose() => _pair.Dispose();

    [Theory]
    [InlineData(ItemType.Dictionary)]
    [InlineData(ItemType.Set)]
    [InlineData(ItemType.SortedSet)]
    public void Snapshot_contains_unchanged_elements_when_buckets_are_resized_during_write(ItemType type)
    {
        Add(type, "kept", Elements);
        Add(type, "old", Elements);
        int written = 0;
        Assert.Equal(1, WriteAndLoad(() =>
        {
            // The collection grows to more than twice its size, and shrinks to less than half of it.
            switch (written++)
            {
                case 2:
                    Add(type, "new", 2 * Elements);
                    break;
                case 5:
                    Remove(type, "new", 2 * Elements);
                    Remove(type, "old", Elements);
                    break;
                default:
                    break;
            }
        }));
        Assert.True(written > 5);
        HashSet<string> found = [.. Names(type)];
        Assert.All(Enumerable.Range(0, Elements), i => Assert.Contains($"kept {i}", found));
    }

    [Fact]
    public void Snapshot_keeps_queue_order_when_both_ends_change_during_write()
    {
        Push("e", Elements, ListEnd.Back);
        int written = 0;
        Assert.Equal(1, WriteAndLoad(() =>
        {
            switch (written++ % 3)
            {
                case 0:
                    for (int i = 0; i < 700; i++)
                    {
                        _before.Pop("l", ListEnd.Front);
                    }

                    break;
                case 1:
                    _before.Push("l", ListEnd.Front, 0, [.. Enumerable.Range(0, 500).Select(i => $"front {written} {i}")]);
                    _before.Push("l", ListEnd.Back, 0, [.. Enumerable.Range(0, 900).Select(i => $"back {written} {i}")]);
                    break;
                default:
                    _before.Pop("l", ListEnd.Back);
                    break;
            }
        }));
        Assert.True(written > 3);
        string[] stayed = [.. Shown(_before).Where(IsOfTheFirst)];
        string[] loaded = [.. Shown(_after).Where(IsOfTheFirst)];
        Assert.Equal(loaded.Distinct(), loaded);
        Assert.Equal(loaded.OrderBy(NumberOf), loaded);
        Assert.Subset(loaded.ToHashSet(), stayed.ToHashSet());
    }

    [Fact]
    public void Snapshot_rewrites_list_whose_middle_changes_during_write()
    {
        Push("e", 4 * Elements, ListEnd.Back);
        int written = 0;
        Assert.Equal(2, WriteAndLoad(() =>
        {
            if (written++ == 2)
            {
                _before.Cache.ListErase("l"u8, [new ListRange(100, 5), new ListRange((4 * Elements) - 100, 5)], out _);
                _before.Cache.ListRemove("l"u8, "e 7"u8, out _);
            }
        }));
        Assert.Equal(Shown(_before), Shown(_after));
        Assert.Equal((4 * Elements) - 11, Shown(_after).Count);
    }

    [Fact]
    public void Snapshot_write_completes_while_middle_of_list_changes_constantly()
    {
        Push("e", Elements, ListEnd.Back);
        int written = 0;
        SnapshotLoaded loaded = Load(() => _before.Cache.ListErase("l"u8, [new ListRange((uint)(1_000 + (100 * written++)), 1)], out _));
        Assert.Equal(8, loaded.Entries);
        HashSet<string> found = [.. Shown(_after)];
        Assert.InRange(found.Count, Elements - (2 * written), Elements);
        Assert.Equal("e 0", Shown(_after)[0]);
        Assert.Contains($"e {Elements - 1}", found);
    }

    [Theory]
    [InlineData("deleted")]
    [InlineData("replaced")]
    [InlineData("flushed")]
    [InlineData("expired")]
    public void Collection_removed_during_snapshot_write_is_not_partly_restored(string how)
    {
        Add(ItemType.Set, "e", 4 * Elements);
        int written = 0;
        SnapshotLoaded loaded = Load(() =>
        {
            if (written++ == 3)
            {
                Leave(how);
            }
        });
        Assert.Equal(1, loaded.Flushed + loaded.Expired);
        ItemType? type = _pair.After.Cache.Peek("k"u8, [])?.Type;
        Assert.Equal(how switch { "replaced" => ItemType.Scalar, "flushed" => ItemType.Set, _ => null }, type);
        Assert.All(type == ItemType.Set ? Names(ItemType.Set) : [], name => Assert.StartsWith("after", name, StringComparison.Ordinal));
    }

    [Fact]
    public void Collection_written_twice_to_snapshot_is_restored_in_later_state()
    {
        Add(ItemType.Set, "old", Elements);
        for (int i = 0; i < 20_000; i++)
        {
            _pair.Before.Set($"filler {i}", new string('x', 100));
        }

        int written = 0;
        Load(() =>
        {
            // The index grows, so the walk starts again.
            if (written++ == 8)
            {
                Remove(ItemType.Set, "old", Elements);
                Add(ItemType.Set, "new", 10);
                for (int i = 0; i < 100_000; i++)
                {
                    _pair.Before.Set($"more {i}", "");
                }
            }
        });
        Assert.Subset(Names(ItemType.Set).ToHashSet(), Enumerable.Range(0, 10).Select(i => $"new {i}").ToHashSet());
    }

    [Fact]
    public void Snapshot_with_concurrent_writers_restores_complete_current_elements()
    {
        const int Fields = 6_000;
        long[] known = new long[Fields];
        long[] begun = new long[Fields];
        using CancellationTokenSource over = new();
        Thread[] writers = [.. Enumerable.Range(0, 2).Select(half => new Thread(() => SetNumbers(half, known, over.Token)))];
        Array.ForEach(writers, writer => writer.Start());
        SpinWait.SpinUntil(() => Array.TrueForAll(known, number => Volatile.Read(ref number) > 0), TimeSpan.FromSeconds(60));
        for (int round = 0; round < 10; round++)
        {
            for (int i = 0; i < Fields; i++)
            {
                begun[i] = Volatile.Read(ref known[i]);
            }

            byte[] snapshot = _pair.Write();
            using StoreFixture after = new();
            using MemoryStream stream = new(snapshot);
            SnapshotLoader.Load(after.Store, stream, CancellationToken.None);
            TextSink sink = new([]);
            Assert.Equal(CollectionOutcome.Ok, after.Cache.DictionaryFetch("d"u8, AnswerLimit.None, ref sink));
            Dictionary<string, long> found = sink.Shown.Select(one => one.Split('=')).ToDictionary(one => one[0], one => Number(one[1]));
            for (int i = 0; i < Fields; i++)
            {
                Assert.InRange(found[$"f{i}"], begun[i], Volatile.Read(ref known[i]) + 1);
            }
        }

        over.Cancel();
        Array.ForEach(writers, writer => writer.Join());
    }

    // Each field has one writer, which writes increasing numbers. A value consists of a varying number of repetitions of its number. Other fields are added
    // between these writes.
    private void SetNumbers(int half, long[] known, CancellationToken over)
    {
        for (long number = 1; !over.IsCancellationRequested; number++)
        {
            for (int i = half; i < known.Length && !over.IsCancellationRequested; i += 2)
            {
                string one = number.ToString(CultureInfo.InvariantCulture);
                _before.SetFields("d", $"f{i}={string.Join('/', Enumerable.Repeat(one, 1 + (int)((number + i) % 9)))}", $"other {half} {i % 1000}=x/x");
                Volatile.Write(ref known[i], number);
                if (i % 3 == half)
                {
                    (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack($"other {half} {(i + 500) % 1000}");
                    _before.Cache.DictionaryDelete("d"u8, new CollectionBatch(bytes, items));
                }
            }
        }
    }

    private static long Number(string value)
    {
        string[] numbers = value.Split('/');
        Assert.Single(numbers.Distinct());
        return numbers[0] == "x" ? 0 : long.Parse(numbers[0], CultureInfo.InvariantCulture);
    }

    private void Leave(string how)
    {
        switch (how)
        {
            case "deleted":
                _before.Cache.Delete("k"u8);
                break;
            case "replaced":
                _pair.Before.Set("k", "a scalar");
                break;
            case "flushed":
                _pair.Before.Store.FlushCache("cache");
                Add(ItemType.Set, "after", 10);
                break;
            default:
                _pair.Before.Clock.AdvanceMs(StoreFixture.Hour);
                break;
        }
    }

    private long WriteAndLoad(Action before)
    {
        SnapshotLoaded loaded = Load(before);
        Assert.Equal((0, 0, 0), (loaded.Refused, loaded.WithoutRoom, loaded.Flushed));
        return loaded.Entries;
    }

    private SnapshotLoaded Load(Action before)
    {
        using HookedStream stream = new(before);
        SnapshotWriter.Write(_pair.Before.Store, stream, CancellationToken.None);
        return _pair.Load(stream.ToArray());
    }

    private void Push(string name, int count, ListEnd end)
    {
        foreach (int[] some in Enumerable.Range(0, count).Chunk(10_000))
        {
            _before.Push("l", end, 0, [.. some.Select(i => $"{name} {i}")]);
        }
    }

    private void Add(ItemType type, string name, int count)
    {
        foreach (int[] some in Enumerable.Range(0, count).Chunk(10_000))
        {
            CollectionOutcome outcome = type switch
            {
                ItemType.Dictionary => _before.SetFields("k", [.. some.Select(i => $"{name} {i}=value {i}")]),
                ItemType.Set => _before.AddMembers("k", [.. some.Select(i => $"{name} {i}")]),
                _ => _before.Put("k", [.. some.Select(i => $"{name} {i}:{i}")]),
            };
            Assert.Equal(CollectionOutcome.Ok, outcome);
        }
    }

    private void Remove(ItemType type, string name, int count)
    {
        foreach (int[] some in Enumerable.Range(0, count).Chunk(10_000))
        {
            (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack([.. some.Select(i => $"{name} {i}")]);
            CollectionBatch batch = new(bytes, items);
            CollectionOutcome outcome = type switch
            {
                ItemType.Dictionary => _before.Cache.DictionaryDelete("k"u8, batch),
                ItemType.Set => _before.Cache.SetRemove("k"u8, batch),
                _ => _before.Cache.SortedSetRemove("k"u8, batch),
            };
            Assert.Equal(CollectionOutcome.Ok, outcome);
        }
    }

    private List<string> Names(ItemType type)
    {
        TextSink sink = new([]);
        CollectionOutcome outcome = type switch
        {
            ItemType.Dictionary => _after.Cache.DictionaryFetch("k"u8, AnswerLimit.None, ref sink),
            ItemType.Set => _after.Cache.SetFetch("k"u8, AnswerLimit.None, ref sink),
            _ => _after.Cache.SortedSetFetchByIndex("k"u8, new ListSlice(null, null), SortedSetOrder.Ascending, AnswerLimit.None, ref sink),
        };
        Assert.Equal(CollectionOutcome.Ok, outcome);
        return [.. sink.Shown.Select(one => one.Split('=', ':')[0])];
    }

    private static List<string> Shown(CollectionFixture fixture)
    {
        TextSink sink = new([]);
        Assert.Equal(CollectionOutcome.Ok, fixture.Cache.ListFetch("l"u8, new ListSlice(null, null), AnswerLimit.None, ref sink));
        return sink.Shown;
    }

    private static bool IsOfTheFirst(string element) => element.StartsWith("e ", StringComparison.Ordinal);

    private static int NumberOf(string element) => int.Parse(element[2..], CultureInfo.InvariantCulture);
}
