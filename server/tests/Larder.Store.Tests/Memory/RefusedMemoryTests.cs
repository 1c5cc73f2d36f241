namespace Larder.Store.Tests;

/// <summary>
/// S8: tests that only the call that needs memory fails if the operating system refuses the memory. All calls succeed again when memory is available.
/// </summary>
public sealed class RefusedMemoryTests
{
    private readonly RefusablePages _source = new();

    [Fact]
    public void Constructor_fails_without_leak_when_memory_is_refused()
    {
        _source.Refuses = true;
        Assert.Throws<InsufficientMemoryException>(() => new StoreFixture(16L << 20, shards: 2, _source));
        _source.Refuses = false;
        new StoreFixture(16L << 20, shards: 2, _source).Dispose();
        Assert.Equal(0, _source.MappedBytes);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(40_000)]
    [InlineData(5_000_000)]
    public void Set_fails_while_memory_is_refused_and_succeeds_later(int valueBytes)
    {
        using var fixture = new StoreFixture(64L << 20, shards: 1, _source);
        fixture.Set("before", "v");
        byte[] value = new byte[valueBytes];
        _source.Refuses = true;
        int failed = 0;
        for (int i = 0; i < 3000 && failed < 1000; i++)
        {
            failed += Fails(() => fixture.Cache.Set(BitConverter.GetBytes(i), value, StoreFixture.Hour)) ? 1 : 0;
        }

        Assert.True(valueBytes == 100 || failed > 0);
        Assert.Equal("v", fixture.Get("before"));
        fixture.Store.AssertValid();
        _source.Refuses = false;
        fixture.Store.Maintain();
        long held = fixture.Store.GetStatistics().UsedMemoryBytes;
        for (int i = 0; i < Math.Min(2000, 200_000_000 / valueBytes); i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(i), value, StoreFixture.Hour);
            Assert.True(fixture.Cache.Contains(BitConverter.GetBytes(i)));
        }

        Assert.True(fixture.Store.GetStatistics().UsedMemoryBytes > held || valueBytes == 100);
    }

    /// <summary>Tests that writes evict old entries if enough segments are allocated and the operating system refuses more memory.</summary>
    [Fact]
    public void Writes_reuse_allocated_memory_while_new_memory_is_refused()
    {
        using var fixture = new StoreFixture(64L << 20, shards: 1, _source);
        for (int i = 0; i < 50_000; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(i), new byte[100], StoreFixture.Hour);
        }

        long held = fixture.Store.GetStatistics().UsedMemoryBytes;
        _source.Refuses = true;
        int failed = 0;
        for (int i = 50_000; i < 250_000; i++)
        {
            failed += Fails(() => fixture.Cache.Set(BitConverter.GetBytes(i), new byte[100], StoreFixture.Hour)) ? 1 : 0;
        }

        // Existing regions can be used until they are full. Then one call fails because there are no further regions.
        Assert.InRange(failed, 0, 10);
        Assert.True(_source.Refused > 0);
        Assert.True(fixture.Store.GetStatistics().Evictions.Memory > 0);
        Assert.InRange(fixture.Store.GetStatistics().UsedMemoryBytes, 0, held + (16L << 20));
    }

    [Fact]
    public void Failed_allocation_of_ghost_filter_keeps_old_filter()
    {
        using var fixture = new StoreFixture(16L << 20, shards: 1, _source);
        byte[] value = new byte[4000];
        int set = 0;
        for (; set < 6000; set++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(set), value, StoreFixture.Hour);
        }

        Assert.True(fixture.Store.GetStatistics().Evictions.Memory > 100);
        _source.Refuses = true;
        for (int i = 0; i < 20_000; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(set++), value.AsSpan(0, 20), StoreFixture.Hour);
        }

        for (int i = 0; i < set; i += 2)
        {
            fixture.Cache.Delete(BitConverter.GetBytes(i));
        }

        _source.Refuses = false;
        for (int i = 0; i < 20_000; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(set++), value.AsSpan(0, 20), StoreFixture.Hour);
        }

        Assert.True(fixture.Cache.Contains(BitConverter.GetBytes(set - 1)));
    }

    [Fact]
    public void Maintenance_succeeds_when_memory_is_refused()
    {
        using var fixture = new StoreFixture(64L << 20, shards: 1, _source);
        for (int i = 0; i < 200_000; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(i), new byte[100], i % 5 == 0 ? StoreFixture.Hour : 1500);
        }

        _source.Refuses = true;
        for (int second = 0; second < 60; second++)
        {
            fixture.Clock.AdvanceMs(1000);
            fixture.Store.Maintain();
        }

        StoreStatistics statistics = fixture.Store.GetStatistics();
        Assert.Equal((40_000, 0), (statistics.Entries, statistics.Evictions.Memory));
        _source.Refuses = false;
        fixture.Store.Maintain();
    }

    [Fact]
    public void Failed_unmapping_is_counted_and_its_memory_is_reused()
    {
        using (var fixture = new StoreFixture(64L << 20, shards: 1, _source))
        {
            _source.RefusesUnmapping = true;
            byte[] value = new byte[5_000_000];
            for (int i = 0; i < 50; i++)
            {
                fixture.Cache.Set(BitConverter.GetBytes(i), value, StoreFixture.Hour);
            }

            Assert.True(fixture.Store.Pages.FailedReleases > 0);
            Assert.Equal(fixture.Store.Pages.FailedReleases, fixture.Store.GetStatistics().FailedReleases);
            _source.RefusesUnmapping = false;
        }
    }

    private static bool Fails(Action set)
    {
        try
        {
            set();
            return false;
        }
        catch (InsufficientMemoryException)
        {
            return true;
        }
    }
}
