using Larder.Store.Leases;

namespace Larder.Store.Tests;

/// <summary>Tests that the caches of a store share its leases (LEASE-8).</summary>
public sealed class LeaseShareTests : IDisposable
{
    private const long LeaseMs = 600_000;

    private readonly StoreFixture _fixture = new();
    private readonly Cache _neighbour;

    public LeaseShareTests()
    {
        Assert.True(_fixture.Store.CreateCache("neighbour"));
        _neighbour = _fixture.Store.Find("neighbour")!;
    }

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData(LeaseTable.MaxLeases)]
    [InlineData(LeaseTable.MaxLeases + 1)]
    [InlineData(LeaseTable.MaxLeases * 10)]
    public void Cache_with_most_leases_loses_oldest_to_another_cache(int asked)
    {
        Lease first = Take(_fixture.Cache, 0)!;
        Lease last = first;
        for (int i = 1; i < asked; i++)
        {
            last = Take(_fixture.Cache, i) ?? last;
        }

        for (int i = 0; i < 1_000; i++)
        {
            Lease? lease = Take(_neighbour, i);
            Assert.NotNull(lease);
            Assert.True(_neighbour.SetLeased(Key(i), "v"u8, StoreFixture.Hour, 0, [], lease.Token.Span));
        }

        Assert.InRange(_fixture.Store.LeasePool.Taken, LeaseTable.MaxLeases - 1, LeaseTable.MaxLeases);

        // The oldest lease of the cache with the most leases was ended. Its holder cannot store a value anymore.
        Assert.True(first.Ended.IsCompleted);
        Assert.False(_fixture.Cache.SetLeased(Key(0), "v"u8, StoreFixture.Hour, 0, [], first.Token.Span));
        Assert.False(last.Ended.IsCompleted);
        Assert.True(_fixture.Cache.SetLeased(Key(LeaseTable.MaxLeases - 1), "v"u8, StoreFixture.Hour, 0, [], last.Token.Span));
    }

    [Fact]
    public void Single_cache_can_take_all_leases()
    {
        Lease first = Take(_fixture.Cache, 0)!;
        for (int i = 1; i < LeaseTable.MaxLeases; i++)
        {
            Assert.NotNull(Take(_fixture.Cache, i));
        }

        Assert.Null(Take(_fixture.Cache, LeaseTable.MaxLeases));
        Assert.False(first.Ended.IsCompleted);
        Assert.Equal(LeaseTable.MaxLeases, _fixture.Store.LeasePool.Taken);
    }

    [Fact]
    public void Greedy_caches_get_equal_shares_of_leases()
    {
        for (int i = 0; i < LeaseTable.MaxLeases; i++)
        {
            Take(_fixture.Cache, i);
        }

        int taken = 0;
        for (int i = 0; i < LeaseTable.MaxLeases; i++)
        {
            taken += Take(_neighbour, i) is null ? 0 : 1;
            Take(_fixture.Cache, LeaseTable.MaxLeases + i);
        }

        Assert.Equal(LeaseTable.MaxLeases / 2, taken);
        Assert.Equal(LeaseTable.MaxLeases, _fixture.Store.LeasePool.Taken);
    }

    [Fact]
    public void Deleted_cache_frees_its_leases()
    {
        Lease lease = Take(_neighbour, 0)!;
        Take(_fixture.Cache, 0);
        Assert.True(_fixture.Store.DeleteCache("neighbour"));
        Assert.True(lease.Ended.IsCompleted);
        Assert.Equal(1, _fixture.Store.LeasePool.Taken);
    }

    private static Lease? Take(Cache cache, int key) => cache.TakeLease(Key(key), LeaseMs, out bool isNew) is { } lease && isNew ? lease : null;

    private static byte[] Key(int key) => BitConverter.GetBytes(key);
}
