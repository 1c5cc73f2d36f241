namespace Larder.Store.Tests;

public sealed class DisposalTests
{
    [Fact]
    public void Disposed_store_returns_misses_and_rejects_writes()
    {
        var fixture = new StoreFixture();
        fixture.Set("k", "v");
        fixture.Store.Dispose();
        fixture.Store.Dispose();
        Assert.Null(fixture.Get("k"));
        Assert.False(fixture.Cache.Delete("k"u8));
        Assert.Equal(TtlUpdateOutcome.Missing, fixture.Cache.UpdateTtl("k"u8, TtlUpdate.OverwriteTo, 1));
        Assert.Throws<ObjectDisposedException>(() => fixture.Set("k", "v"));
        Assert.Throws<ObjectDisposedException>(() => fixture.Cache.Increment("k"u8, 1, 1, out _));
        fixture.Store.Maintain();
    }

    [Fact]
    public void Disposed_store_manages_caches_without_reading_freed_memory()
    {
        // Only a limited number of deleted caches can await reclaim. Exceed this number, so that the store would have to reclaim the last ones immediately.
        int caches = ShardPlan.MaxDeadSpaces(1L << 20) + 100;
        var store = new CacheStore(new CacheStoreOptions { MaxMemoryBytes = 1 << 20, Shards = 1 }, poisonFreedMemory: true);
        for (int i = 0; i < caches; i++)
        {
            store.CreateCache($"{i}");
            store.Find($"{i}")!.Set("k"u8, "v"u8, StoreFixture.Hour);
        }

        store.Dispose();
        for (int i = 0; i < caches; i++)
        {
            Assert.True(store.FlushCache($"{i}"));
            Assert.True(store.DeleteCache($"{i}"));
        }

        Assert.True(store.CreateCache("late"));
        Assert.Throws<ObjectDisposedException>(() => store.Find("late")!.Set("k"u8, "v"u8, 1));
        Assert.False(store.Find("late")!.Contains("k"u8));
        Assert.Equal(0, store.GetStatistics().Entries);
    }

    [Fact]
    public async Task Dispose_is_safe_with_concurrent_readers()
    {
        for (int round = 0; round < 20; round++)
        {
            var fixture = new StoreFixture(2L << 20);
            fixture.Cache.Set("k"u8, new byte[1000], StoreFixture.Hour);
            using var started = new CountdownEvent(2);
            Task[] readers = [.. Enumerable.Range(0, 2).Select(_ => Task.Factory.StartNew(
                () =>
                {
                    started.Signal();
                    while (fixture.Get("k") is not null)
                    {
                    }
                },
                CancellationToken.None,
                TaskCreationOptions.LongRunning,
                TaskScheduler.Default))];
            started.Wait();
            fixture.Store.Dispose();
            await Task.WhenAll(readers);
        }
    }
}
