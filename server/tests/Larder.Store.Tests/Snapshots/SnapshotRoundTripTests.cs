using Larder.Store.Snapshots;

namespace Larder.Store.Tests.Snapshots;

public sealed class SnapshotRoundTripTests : IDisposable
{
    private const long Day = 24 * StoreFixture.Hour;
    private readonly SnapshotPair _pair = new();

    public void Dispose() => _pair.Dispose();

    [Theory]
    [InlineData(1, 0)]
    [InlineData(1, 1)]
    [InlineData(7, 1024)]
    [InlineData(300, 1025)]
    [InlineData(200_000, 3)]
    [InlineData(16, 700_000)]
    public void Snapshot_restores_entry_of_any_size(int keyBytes, int valueBytes)
    {
        byte[] key = Random.Shared.GetItems<byte>([.. Enumerable.Range(0, 256).Select(i => (byte)i)], keyBytes);
        byte[] value = Random.Shared.GetItems<byte>([.. Enumerable.Range(0, 256).Select(i => (byte)i)], valueBytes);
        using SnapshotPair pair = new(shards: 1);
        pair.Before.Cache.Set(key, value, StoreFixture.Hour);
        pair.Before.Set("another", "one");
        Assert.Equal(2, pair.Load(pair.Write()).Entries);
        System.Buffers.ArrayBufferWriter<byte> found = new();
        Assert.True(pair.After.Cache.TryGet(key, found));
        Assert.Equal(value, found.WrittenSpan.ToArray());
        Assert.Equal("one", pair.After.Get("another"));
    }

    [Fact]
    public void Snapshot_restores_latest_values_of_overwritten_entries_and_counters()
    {
        StoreFixture before = _pair.Before;
        foreach (string value in (string[])["first", "secnd", "third"])
        {
            before.Set("k", value);
        }

        before.Set("longer", "x");
        before.Set("longer", "longer than before");
        before.Cache.Increment("n"u8, 41, StoreFixture.Hour, out _);
        before.Cache.Increment("n"u8, 1, StoreFixture.Hour, out _);
        before.Set("gone", "x");
        before.Cache.Delete("gone"u8);
        Assert.Equal(3, _pair.Load(_pair.Write()).Entries);
        Assert.Equal((string?[])["third", "longer than before", "42", null], ((string[])["k", "longer", "n", "gone"]).Select(key => _pair.After.Get(key)));
        _pair.After.Cache.Increment("n"u8, 1, StoreFixture.Hour, out long sum);
        Assert.Equal(43, sum);
    }

    [Fact]
    public void Snapshot_restores_tags_and_stale_times_but_no_removed_items()
    {
        Cache before = _pair.Before.Cache;
        before.SetWith("kept"u8, "v"u8, 1_000, new ItemExtras([Cache.HashTag("a"u8), Cache.HashTag("b"u8)], 5_000, before.Removals));
        before.SetWith("gone"u8, "v"u8, 1_000, new ItemExtras([Cache.HashTag("gone"u8)], 0, before.Removals));
        before.RemoveByTags([Cache.HashTag("gone"u8)]);
        before.SetWith("late"u8, ""u8, 1_000, new ItemExtras([Cache.HashTag("gone"u8)], 0, before.Removals));
        Assert.Equal(2, _pair.Load(_pair.Write()).Entries);
        Assert.Equal((string?[])["v", null, ""], ((string[])["kept", "gone", "late"]).Select(key => _pair.After.Get(key)));
        _pair.After.Cache.RemoveByTags([Cache.HashTag("gone"u8)]);
        Assert.Null(_pair.After.Get("late"));
        _pair.After.Clock.AdvanceMs(1_001);
        Assert.Null(_pair.After.Get("kept"));
        System.Buffers.ArrayBufferWriter<byte> found = new();
        StaleSink sink = new(found);
        Assert.True(_pair.After.Cache.TryGetStale("kept"u8, ref sink));
        _pair.After.Cache.RemoveByTags([Cache.HashTag("b"u8)]);
        Assert.False(_pair.After.Cache.TryGetStale("kept"u8, ref sink));
    }

    [Fact]
    public void STALE_5_snapshot_restores_validators()
    {
        Cache before = _pair.Before.Cache;
        byte[] longest = new byte[Cache.MaxValidatorBytes];
        before.SetWith("tagged"u8, "v"u8, 1_000, new ItemExtras([1, 2], 5_000, before.Removals, "tag"u8));
        before.SetWith("long"u8, ""u8, 1_000, new ItemExtras(default, 5_000, before.Removals, longest));
        Assert.Equal(2, _pair.Load(_pair.Write()).Entries);
        Assert.Equal((string?[])["v", ""], ((string[])["tagged", "long"]).Select(key => _pair.After.Get(key)));
        _pair.After.Clock.AdvanceMs(1_001);
        foreach ((string key, byte[] validator) in ((string, byte[])[])[("tagged", "tag"u8.ToArray()), ("long", longest)])
        {
            System.Buffers.ArrayBufferWriter<byte> found = new();
            StaleSink sink = new(new System.Buffers.ArrayBufferWriter<byte>(), found);
            Assert.True(_pair.After.Cache.TryGetStale(StoreFixture.Bytes(key), ref sink));
            Assert.Equal(validator, found.WrittenSpan.ToArray());
        }

        _pair.After.Cache.RemoveByTags([2]);
        StaleSink removed = new(new System.Buffers.ArrayBufferWriter<byte>());
        Assert.False(_pair.After.Cache.TryGetStale("tagged"u8, ref removed));
    }

    [Fact]
    public void Snapshot_omits_stale_values()
    {
        Cache before = _pair.Before.Cache;
        before.SetWith("k"u8, "v"u8, 1, new ItemExtras(default, StoreFixture.Hour, before.Removals));
        _pair.Before.Clock.AdvanceMs(2);
        Assert.Equal(0, _pair.Load(_pair.Write()).Entries);
    }

    [Fact]
    public void Snapshot_restores_empty_caches_and_entries_of_each_cache()
    {
        const int Entries = 20_000;
        string[] names = ["a", "ünïcode ☃", "empty", new('x', CacheStore.MaxNameLength)];
        Array.ForEach(names, name => _pair.Before.Store.CreateCache(name));
        for (int i = 0; i < Entries; i++)
        {
            CacheOf(_pair.Before.Store, i).Set(StoreFixture.Bytes($"key {i}"), StoreFixture.Bytes($"value {i}"), StoreFixture.Hour);
        }

        SnapshotLoaded loaded = _pair.Load(_pair.Write());
        Assert.Equal((Entries, 5, 0, 0), (loaded.Entries, loaded.Caches, loaded.WithoutRoom, loaded.Refused));
        Assert.Equal(_pair.Before.Store.CacheNames, _pair.After.Store.CacheNames);
        for (int i = 0; i < Entries; i++)
        {
            Assert.Equal($"value {i}", StoreFixture.Get(CacheOf(_pair.After.Store, i), $"key {i}"));
        }

        Assert.Equal(0, _pair.After.Store.GetStatistics().Sets);

        Cache CacheOf(CacheStore store, int i) => store.Find(i % 2 == 0 ? "a" : names[1])!;
    }

    [Fact]
    public void Snapshot_restores_cache_quota()
    {
        long quota = _pair.Before.Store.MinQuotaBytes;
        Assert.True(_pair.Before.Store.CreateCache("limited", quota));
        _pair.Before.Store.Find("limited")!.Set("k"u8, "v"u8, StoreFixture.Hour);
        _pair.Load(_pair.Write());
        Cache limited = _pair.After.Store.Find("limited")!;
        Assert.Equal(("v", quota, 0), (StoreFixture.Get(limited, "k"), limited.MaxBytes, _pair.After.Cache.MaxBytes));
        for (int i = 0; i < 2 * quota / 10_000; i++)
        {
            limited.Set(StoreFixture.Bytes($"{i}"), new byte[10_000], StoreFixture.Hour);
        }

        Assert.True(limited.Space.ChargedBytes <= quota);
    }

    [Fact]
    public void Snapshot_restores_empty_store()
    {
        SnapshotLoaded loaded = _pair.Load(_pair.Write());
        Assert.Equal((0, 1), (loaded.Entries, loaded.Caches));
    }

    // The first argument is the downtime between the two runs, measured by the wall clock. The second argument is the rest of a TTL of one hour.
    [Theory]
    [InlineData(0, 3_600_000)]
    [InlineData(600_000, 3_000_000)]
    [InlineData(3_599_999, 1)]
    [InlineData(3_600_000, 0)]
    [InlineData(3_600_001, 0)]
    [InlineData(365 * Day, 0)]
    [InlineData(-1, 3_600_000)]
    [InlineData(-365 * Day, 3_600_000)]
    public void Snapshot_load_deducts_downtime_from_TTL(long awayMs, long leftMs)
    {
        _pair.Before.Clock.AdvanceMs(5_000);
        _pair.Before.Set("k", "v", StoreFixture.Hour + 1_000);
        _pair.Before.Clock.AdvanceMs(1_000);
        byte[] snapshot = _pair.Write();
        _pair.After.Clock.SetWall(TimeSpan.FromMilliseconds(6_000 + awayMs));
        SnapshotLoaded loaded = _pair.Load(snapshot);
        Assert.Equal(leftMs == 0 ? (0L, 1L) : (1, 0), (loaded.Entries, loaded.Expired));
        _pair.After.Clock.AdvanceMs(leftMs - 1);
        Assert.Equal(leftMs == 0 ? null : "v", _pair.After.Get("k"));
        _pair.After.Clock.AdvanceMs(1);
        Assert.Null(_pair.After.Get("k"));
    }

    [Fact]
    public void Wall_clock_change_while_running_changes_no_restored_TTL()
    {
        _pair.Before.Set("k", "v");
        _pair.Before.Clock.SetWall(TimeSpan.FromDays(400));
        using HookedStream stream = new(() => _pair.Before.Clock.SetWall(TimeSpan.FromDays(-1)));
        SnapshotWriter.Write(_pair.Before.Store, stream, CancellationToken.None);

        // The second clock shows an earlier time than the first clock showed when the snapshot began. Therefore, no time is subtracted from the TTL.
        _pair.After.Clock.SetWall(TimeSpan.FromDays(398));
        Assert.Equal(1, _pair.Load(stream.ToArray()).Entries);
        _pair.After.Clock.AdvanceMs(StoreFixture.Hour - 1);
        Assert.Equal("v", _pair.After.Get("k"));
        _pair.After.Clock.AdvanceMs(1);
        Assert.Null(_pair.After.Get("k"));
    }

    [Fact]
    public void Snapshot_omits_expired_entries()
    {
        _pair.Before.Set("short", "v", 1_000);
        _pair.Before.Set("long", "v");
        _pair.Before.Clock.AdvanceMs(1_000);
        SnapshotLoaded loaded = _pair.Load(_pair.Write());
        Assert.Equal((1, 0), (loaded.Entries, loaded.Expired));
    }

    [Fact]
    public void Load_caps_TTL_at_maximum_of_store()
    {
        _pair.Before.Set("k", "v", Day);
        using CacheStore store = new(new CacheStoreOptions { TimeProvider = _pair.After.Clock, MaxTtl = TimeSpan.FromSeconds(10) });
        using MemoryStream stream = new(_pair.Write());
        SnapshotLoader.Load(store, stream, CancellationToken.None);
        _pair.After.Clock.AdvanceMs(9_999);
        Assert.Equal("v", StoreFixture.Get(store.Find("cache")!, "k"));
        _pair.After.Clock.AdvanceMs(1);
        Assert.Null(StoreFixture.Get(store.Find("cache")!, "k"));
    }

    [Fact]
    public void Snapshot_restores_hit_counts_and_eviction_queue_positions()
    {
        using SnapshotPair pair = new(shards: 1);
        string value = new('x', 2_000);
        for (int i = 0; i < 100_000; i++)
        {
            pair.Before.Set($"{i}", value);
            for (int hit = 0; hit < i % 3; hit++)
            {
                pair.Before.Get($"{i}");
            }
        }

        // Leave some memory free, so that the second store has space for all entries in any order.
        for (int i = 0; i < 100_000; i += 5)
        {
            pair.Before.Cache.Delete(StoreFixture.Bytes($"{i}"));
        }

        byte[] first = pair.Write();
        pair.Load(first);
        byte[] second = SnapshotPair.Write(pair.After.Store);
        Assert.Equal(Worths(first), Worths(second));
        Assert.True(Worths(first).Count > 4);
    }

    internal static Dictionary<byte, int> Worths(byte[] snapshot)
    {
        Dictionary<byte, int> worths = [];
        using MemoryStream stream = new(snapshot);
        SnapshotReader.Read(stream, Count, CancellationToken.None);
        return worths;

        void Count(in SnapshotRecord record, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) =>
            worths[record.Worth] = worths.GetValueOrDefault(record.Worth) + 1;
    }
}
