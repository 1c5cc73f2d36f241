namespace Larder.Store.Tests;

public sealed class SharedPoolTests
{
    private const int Max = 1_000;

    private readonly SharedPool _pool = new(Max);

    [Theory]
    [InlineData(2)]
    [InlineData(10)]
    [InlineData(100)]
    public void Shares_get_equal_parts_regardless_of_order(int users)
    {
        Share[] shares = [.. Enumerable.Range(0, users).Select(_ => new Share(_pool))];
        foreach (Share share in shares)
        {
            for (int i = 0; i < Max; i++)
            {
                share.Take();
            }
        }

        Assert.All(shares, share => Assert.Equal(Max / users, share.Held));
        Assert.Equal(Max, _pool.Taken);
    }

    [Fact]
    public void Share_never_takes_from_equally_large_share()
    {
        Share first = new(_pool);
        Share second = new(_pool);
        for (int i = 0; i < Max; i++)
        {
            first.Take();
            second.Take();
        }

        Assert.Equal((0, 0), (first.GivenUp, second.GivenUp));
    }

    [Fact]
    public async Task Concurrent_shares_never_lose_or_duplicate_pool_entries()
    {
        Share[] shares = [.. Enumerable.Range(0, 4).Select(_ => new Share(_pool))];
        await Task.WhenAll(shares.Select((share, number) => Task.Run(() =>
        {
            for (int i = 0; i < 50_000; i++)
            {
                share.Take();
                if (i % (number + 2) == 0)
                {
                    share.Return();
                }
            }
        })));
        Assert.Equal(_pool.Taken, shares.Sum(static share => share.Held));
        Assert.InRange(_pool.Taken, 0, Max);
        foreach (Share share in shares)
        {
            while (share.Held > 0)
            {
                share.Return();
            }
        }

        Assert.Equal(0, _pool.Taken);
    }

    [Fact]
    public void Small_caches_remember_removed_tags_when_pool_is_full()
    {
        RemovedTags[] caches = [.. Enumerable.Range(0, 100).Select(_ => new RemovedTags(_pool))];
        for (ulong tag = 0; tag < RemovedTags.AlwaysRemembered; tag++)
        {
            foreach (RemovedTags cache in caches)
            {
                cache.Remove([tag]);
            }
        }

        // Simulates items that were created before the removal of the last tag, but after all other removals.
        Assert.All(caches, static cache => Assert.False(cache.HaveRemoved(RemovedTags.AlwaysRemembered - 1, [0])));
        Assert.All(caches, static cache => Assert.False(cache.HaveRemoved(0, [1_000])));
        Assert.Equal(caches.Length * RemovedTags.AlwaysRemembered, _pool.Taken);
    }

    [Fact]
    public void Tag_removal_with_full_pool_removes_all_tagged_items()
    {
        Share[] others = [.. Enumerable.Range(0, Max).Select(_ => new Share(_pool))];
        Array.ForEach(others, static share => share.Take());
        RemovedTags tags = new(_pool);
        ulong[] many = [.. Enumerable.Range(0, Cache.MaxTags).Select(static tag => (ulong)tag)];
        tags.Remove(many);
        Assert.True(tags.HaveRemoved(0, [5]));
        Assert.True(tags.HaveRemoved(0, [1_000]));
        Assert.False(tags.HaveRemoved(tags.Now, [5]));
        Assert.Equal(Max, _pool.Taken);
    }

    private sealed class Share(SharedPool pool) : PoolShare
    {
        private readonly Lock _lock = new();

        public int Held { get; private set; }

        public int GivenUp { get; private set; }

        public void Take()
        {
            int got = pool.Take(this, 1);
            lock (_lock)
            {
                Held += got;
            }
        }

        public void Return()
        {
            lock (_lock)
            {
                if (Held > 0)
                {
                    Held--;
                    pool.GiveBack(this, 1);
                }
            }
        }

        public override int GiveUp(int places)
        {
            lock (_lock)
            {
                int given = Math.Min(Held, places);
                Held -= given;
                GivenUp += given;
                return given;
            }
        }
    }
}
