using Larder.Store.Snapshots;

namespace Larder.Store.Tests.Snapshots;

public sealed class SnapshotSelectionTests
{
    [Fact]
    public void Smaller_store_loads_entries_with_hits_first()
    {
        const int Entries = 40_000;
        using SnapshotPair pair = new(bytesAfter: 16L << 20);
        for (int i = 0; i < Entries; i++)
        {
            pair.Before.Set($"{i}", new string('x', 1_000));
        }

        // The smaller store has space for about ten times as many entries.
        int[] hot = [.. Enumerable.Range(0, Entries).Where(i => i % 25 == 0)];
        Array.ForEach(hot, i => Assert.NotNull(pair.Before.Get($"{i}")));
        SnapshotLoaded loaded = pair.Load(pair.Write());
        Assert.Equal(Entries, loaded.Entries + loaded.WithoutRoom);
        Assert.All(hot, i => Assert.NotNull(pair.After.Get($"{i}")));
        long held = pair.After.Store.GetStatistics().Entries;
        Assert.InRange(held, 8_000, 16_000);
        Assert.InRange(loaded.Entries, held, held + (held / 8));
    }

    [Fact]
    public void Load_skips_and_counts_oversized_entries_and_excess_caches()
    {
        using StoreFixture before = new(shards: 1);
        before.Store.CreateCache("zebra");
        before.Store.Find("zebra")!.Set("k"u8, "v"u8, StoreFixture.Hour);
        before.Set("large", new string('x', 200_000));
        before.Set("small", "v");
        using CacheStore after = new(new CacheStoreOptions { MaxMemoryBytes = 16 << 20, MaxItemBytes = 100_000, MaxCaches = 1, TimeProvider = before.Clock });
        using MemoryStream stream = new(SnapshotPair.Write(before.Store));
        SnapshotLoaded loaded = SnapshotLoader.Load(after, stream, CancellationToken.None);
        Assert.Equal((1, 1, 2), (loaded.Entries, loaded.Caches, loaded.Refused));
        Assert.Equal(["cache"], after.CacheNames);
        Assert.True(after.Find("cache")!.Contains("small"u8));
    }

    [Fact]
    public void Load_keeps_loaded_entries_when_memory_is_refused()
    {
        using StoreFixture before = new();
        for (int i = 0; i < 10_000; i++)
        {
            before.Set($"{i}", new string('x', 1_000));
        }

        byte[] snapshot = SnapshotPair.Write(before.Store);
        RefusablePages pages = new();
        using StoreFixture after = new(source: pages, shards: 1);
        after.Set("warm", "up");
        pages.Refuses = true;
        using MemoryStream stream = new(snapshot);
        SnapshotLoaded loaded = SnapshotLoader.Load(after.Store, stream, CancellationToken.None);
        Assert.Equal(10_000, loaded.Entries + loaded.WithoutRoom);
        Assert.Equal("up", after.Get("warm"));
    }
}
