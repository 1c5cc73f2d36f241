using Larder.Store.Collections;
using Larder.Store.Snapshots;
using Larder.Store.Tests.Collections;

namespace Larder.Store.Tests.Snapshots;

/// <summary>Tests of snapshots of collections that do not change while the snapshot is written.</summary>
public sealed class SnapshotCollectionTests : IDisposable
{
    private static readonly string[] s_types = ["d", "s", "l", "z"];
    private readonly SnapshotPair _pair = new(shards: 1);
    private readonly CollectionFixture _before;
    private readonly CollectionFixture _after;

    public SnapshotCollectionTests()
    {
        _before = new CollectionFixture(_pair.Before);
        _after = new CollectionFixture(_pair.After);
    }

    public void Dispose() => _pair.Dispose();

    [Fact]
    public void Snapshot_restores_every_collection_type_with_order_and_scores()
    {
        _before.SetFields("d", "field=value", "empty=", "third=3");
        _before.AddMembers("s", "one", "", "two");
        _before.Push("l", ListEnd.Back, 0, "b", "", "a", "b", "");
        _before.Put("z", "m:1.5", "n:-1", "l:1.5", "top:Infinity", "bottom:-Infinity", "whole:70000", ":0.1", "least:5E-324");
        SnapshotLoaded loaded = _pair.Load(_pair.Write());
        Assert.Equal((4, 0, 0), (loaded.Entries, loaded.Refused, loaded.WithoutRoom));
        Assert.Equal("field=value empty third=3 -none", _after.GetFields("d", "field", "empty", "third", "none"));
        Assert.Equal(" one two", _after.FetchMembers("s"));
        Assert.Equal("b  a b ", _after.Fetch("l"));
        Assert.Equal("bottom:-Infinity n:-1 least:5E-324 :0.1 l:1.5 m:1.5 whole:70000 top:Infinity", _after.FetchByIndex("z"));
        Assert.Equal(s_types.Select(key => TypeOf(_pair.Before, key)), s_types.Select(key => TypeOf(_pair.After, key)));
        Assert.Equal((0, 0), (_pair.After.Store.GetStatistics().Sets, _pair.Before.Store.GetStatistics().Hits));
    }

    // The sizes include packed and large collections, and collections of one piece and of several pieces.
    [Theory]
    [InlineData(100)]
    [InlineData(513)]
    [InlineData(CollectionPiece.MaxElements)]
    [InlineData(CollectionPiece.MaxElements + 1)]
    [InlineData(30_000)]
    public void Snapshot_restores_collections_of_any_size(int elements)
    {
        Fill(_before, elements);
        Assert.Equal(4, _pair.Load(_pair.Write()).Entries);
        AssertSame(_before, _after, elements);

        // A snapshot of the loaded store contains the same collections.
        using StoreFixture third = new();
        using MemoryStream stream = new(SnapshotPair.Write(_pair.After.Store));
        SnapshotLoader.Load(third.Store, stream, CancellationToken.None);
        AssertSame(_before, new CollectionFixture(third), elements);
    }

    [LongTheory]
    [InlineData(1_000_000)]
    public void Snapshot_restores_collections_of_a_million_elements(int elements)
    {
        using StoreFixture before = new(2L << 30, shards: 1);
        using StoreFixture after = new(2L << 30, shards: 1);
        Fill(new CollectionFixture(before), elements);
        using MemoryStream stream = new();
        SnapshotWriter.Write(before.Store, stream, CancellationToken.None);
        Assert.Equal(4, SnapshotLoader.Load(after.Store, stream, CancellationToken.None).Entries);
        AssertSame(new CollectionFixture(before), new CollectionFixture(after), elements);
    }

    [Fact]
    public void Snapshot_restores_elements_larger_than_a_collection_piece()
    {
        string large = new('x', 3 * CollectionPiece.MostBytes);
        _before.SetFields("d", "small=1", $"large={large}", "other=2");
        _before.Push("l", ListEnd.Back, 0, "first", large, "last");
        _before.AddMembers("s", large, "small");
        _before.Put("z", $"{large}:2", "small:1");
        Assert.Equal(4, _pair.Load(_pair.Write()).Entries);
        Assert.Equal($"small=1 large={large} other=2", _after.GetFields("d", "small", "large", "other"));
        Assert.Equal($"first {large} last", _after.Fetch("l"));
        Assert.Equal($"small {large}", _after.FetchMembers("s"));
        Assert.Equal($"small:1 {large}:2", _after.FetchByIndex("z"));
    }

    [Theory]
    [InlineData(0, 3_600_000)]
    [InlineData(600_000, 3_000_000)]
    [InlineData(3_599_999, 1)]
    [InlineData(3_600_000, 0)]
    public void Snapshot_load_deducts_downtime_from_collection_TTL(long awayMs, long leftMs)
    {
        Fill(_before, 10_000);
        byte[] snapshot = _pair.Write();
        _pair.After.Clock.SetWall(TimeSpan.FromMilliseconds(awayMs));
        SnapshotLoaded loaded = _pair.Load(snapshot);
        Assert.Equal(leftMs == 0 ? (0L, 4L) : (4, 0), (loaded.Entries, loaded.Expired));
        _pair.After.Clock.AdvanceMs(leftMs - 1);
        Assert.All(s_types, key => Assert.Equal(leftMs > 0, _pair.After.Cache.Contains(StoreFixture.Bytes(key))));
        _pair.After.Clock.AdvanceMs(1);
        Assert.All(s_types, key => Assert.False(_pair.After.Cache.Contains(StoreFixture.Bytes(key))));
    }

    [Fact]
    public void Snapshot_omits_expired_collections()
    {
        _before.SetFields("d", new CollectionTtl(1_000, Refresh: true), "f=v");
        _pair.Before.Clock.AdvanceMs(1_000);
        SnapshotLoaded loaded = _pair.Load(_pair.Write());
        Assert.Equal((0, 0), (loaded.Entries, loaded.Expired));
    }

    [Fact]
    public void Snapshot_restores_hit_counts_and_eviction_queues_of_collections()
    {
        for (int i = 0; i < 300; i++)
        {
            _before.Push($"{i}", ListEnd.Back, 0, "a");
            for (int hit = 0; hit < i % 3; hit++)
            {
                _before.Fetch($"{i}");
            }
        }

        byte[] first = _pair.Write();
        Assert.Equal(SnapshotRoundTripTests.Worths(first), SnapshotRoundTripTests.Worths(_pair.Write()));
        _pair.Load(first);
        Assert.Equal(SnapshotRoundTripTests.Worths(first), SnapshotRoundTripTests.Worths(SnapshotPair.Write(_pair.After.Store)));
        Assert.True(SnapshotRoundTripTests.Worths(first).Count >= 3);
    }

    [Fact]
    public void Smaller_store_loads_each_collection_completely_or_not_at_all()
    {
        const int Collections = 400;
        const int Elements = 5_000;
        using SnapshotPair pair = new(bytesAfter: 16L << 20, shards: 1);
        CollectionFixture before = new(pair.Before);
        CollectionFixture after = new(pair.After);
        string[] names = [.. Enumerable.Range(0, Elements).Select(i => $"element number {i}")];
        for (int i = 0; i < Collections; i++)
        {
            if (i % 2 == 0)
            {
                before.AddMembers($"{i}", names[..(i % 40 == 0 ? Elements : 50)]);
            }
            else
            {
                before.Push($"{i}", ListEnd.Back, 0, names);
            }
        }

        SnapshotLoaded loaded = pair.Load(pair.Write());
        Assert.Equal(Collections, loaded.Entries + loaded.WithoutRoom);
        int there = 0;
        for (int i = 0; i < Collections; i++)
        {
            (CollectionOutcome outcome, long length) = LengthOf(after, $"{i}", i % 2 == 0 ? ItemType.Set : ItemType.List);
            there += outcome == CollectionOutcome.Ok ? 1 : 0;
            Assert.Contains(length, new long[] { 0, i % 2 == 1 || i % 40 == 0 ? Elements : 50 });
        }

        Assert.InRange(there, 20, Collections - 1);
    }

    [Fact]
    public void Snapshot_load_skips_and_counts_collection_too_large_for_store()
    {
        using SnapshotPair pair = new(bytesAfter: 16L << 20, shards: 1);
        CollectionFixture before = new(pair.Before);
        string[] names = [.. Enumerable.Range(0, 200_000).Select(i => $"element {i}")];
        foreach (string[] some in names.Chunk(10_000))
        {
            before.AddMembers("large", some);
        }

        before.AddMembers("small", "a");
        SnapshotLoaded loaded = pair.Load(pair.Write());
        Assert.Equal((1, 1), (loaded.Entries, loaded.Refused));
        Assert.Equal("a", new CollectionFixture(pair.After).FetchMembers("small"));
    }

    [Fact]
    public void Snapshot_load_applies_cache_quota_to_collections()
    {
        long quota = _pair.Before.Store.MinQuotaBytes;
        Assert.True(_pair.Before.Store.CreateCache("limited", quota));
        string text = new('x', 1_000);
        (byte[] bytes, CollectionItem[] items) = CollectionFixture.Pack([.. Enumerable.Range(0, 100).Select(i => $"{i}{text}")]);
        Cache limited = _pair.Before.Store.Find("limited")!;
        for (int i = 0; i < quota / 50_000; i++)
        {
            limited.SetUnion(StoreFixture.Bytes($"{i}"), new CollectionBatch(bytes, items), new CollectionTtl(StoreFixture.Hour, Refresh: true));
        }

        SnapshotLoaded loaded = _pair.Load(_pair.Write());
        Assert.True(loaded.Entries > 10);
        Cache after = _pair.After.Store.Find("limited")!;
        Assert.InRange(after.Space.ChargedBytes, quota / 2, quota);
    }

    [Fact]
    public void Snapshot_load_keeps_complete_collections_when_memory_is_refused()
    {
        for (int i = 0; i < 200; i++)
        {
            _before.Push($"{i}", ListEnd.Back, 0, [.. Enumerable.Range(0, 9_000).Select(n => $"{n}")]);
        }

        byte[] snapshot = _pair.Write();
        RefusablePages pages = new();
        using StoreFixture after = new(source: pages, shards: 1);
        after.Set("warm", "up");
        pages.Refuses = true;
        using MemoryStream stream = new(snapshot);
        SnapshotLoaded loaded = SnapshotLoader.Load(after.Store, stream, CancellationToken.None);
        Assert.Equal(200, loaded.Entries + loaded.WithoutRoom);
        Assert.Equal("up", after.Get("warm"));
    }

    private static void Fill(CollectionFixture fixture, int elements)
    {
        foreach (int[] some in Enumerable.Range(0, elements).Chunk(10_000))
        {
            fixture.SetFields("d", [.. some.Select(i => $"{Name(i)}=value of {i}")]);
            fixture.AddMembers("s", [.. some.Select(Name)]);
            fixture.Push("l", ListEnd.Back, 0, [.. some.Select(i => Name(i / 2))]);
            fixture.Put("z", [.. some.Select(i => $"{Name(i)}:{ScoreOf(i)}")]);
        }

        // Changed and removed elements must not appear in the snapshot.
        fixture.SetFields("d", $"{Name(0)}=value of 0 is longer");
        fixture.Pop("l", ListEnd.Front);
    }

    private static void AssertSame(CollectionFixture before, CollectionFixture after, int elements)
    {
        IEnumerable<string> fields = Enumerable.Range(0, elements).Select(i => $"{Name(i)}=value of {i}{(i == 0 ? " is longer" : "")}");
        Assert.Equal(fields.Order(StringComparer.Ordinal), Fields(after).Order(StringComparer.Ordinal));
        Assert.Equal(string.Join(' ', Enumerable.Range(0, elements).Select(Name).Order(StringComparer.Ordinal)), after.FetchMembers("s"));
        Assert.Equal(string.Join(' ', Enumerable.Range(1, elements - 1).Select(i => Name(i / 2))), after.Fetch("l"));
        Assert.Equal(before.FetchByIndex("z"), after.FetchByIndex("z"));
        Assert.Equal(elements, after.FetchByIndex("z").Count(one => one == ':'));
    }

    private static List<string> Fields(CollectionFixture fixture)
    {
        TextSink sink = new([]);
        Assert.Equal(CollectionOutcome.Ok, fixture.Cache.DictionaryFetch("d"u8, AnswerLimit.None, ref sink));
        return sink.Shown;
    }

    private static (CollectionOutcome Outcome, long Length) LengthOf(CollectionFixture fixture, string key, ItemType type)
    {
        CollectionOutcome outcome = type == ItemType.Set
            ? fixture.Cache.SetLength(StoreFixture.Bytes(key), out long length)
            : fixture.Cache.ListLength(StoreFixture.Bytes(key), out length);
        return (outcome, length);
    }

    private static ItemType? TypeOf(StoreFixture fixture, string key) => fixture.Cache.Peek(StoreFixture.Bytes(key), [])?.Type;

    private static string Name(int i) => $"e{(long)i * 7_919 % 1_000_003}";

    // Returns a score. It is never 0, because 0 would be displayed as a missing score.
    private static string ScoreOf(int i) => i % 3 == 0 ? $"{1 + (i % 100)}" : $"{-1 - (i % 1000)}.25";
}
