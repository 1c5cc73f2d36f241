namespace Larder.Store.Tests;

public sealed class TtlTests
{
    [Fact]
    public void UpdateTtlIfPrefix_changes_TTL_only_if_value_has_prefix()
    {
        using var fixture = new StoreFixture();
        Span<byte> head = stackalloc byte[Cache.MaxPrefixBytes];
        Assert.Equal(TtlUpdateOutcome.Missing, fixture.Cache.UpdateTtlIfPrefix("k"u8, "he"u8, 9_000, head, out _));
        fixture.Set("k", "header, body", ttlMs: 5_000);
        Assert.Equal(TtlUpdateOutcome.Different, fixture.Cache.UpdateTtlIfPrefix("k"u8, "ha"u8, 9_000, head, out int headBytes));
        Assert.Equal("header, body"u8, head[..headBytes]);
        Assert.Equal(TtlUpdateOutcome.Different, fixture.Cache.UpdateTtlIfPrefix("k"u8, default, 9_000, head, out _));
        Assert.Equal(TtlUpdateOutcome.Different, fixture.Cache.UpdateTtlIfPrefix("k"u8, "header, body."u8, 9_000, head, out _));
        Assert.True(fixture.Cache.TryGetTtl("k"u8, out long left));
        Assert.Equal(4_999, left);
        Assert.Equal(TtlUpdateOutcome.Set, fixture.Cache.UpdateTtlIfPrefix("k"u8, "header"u8, 9_000, head, out headBytes));
        Assert.Equal(0, headBytes);
        Assert.True(fixture.Cache.TryGetTtl("k"u8, out left));
        Assert.Equal(8_999, left);
        Assert.Equal("header, body", fixture.Get("k"));
        fixture.Clock.AdvanceMs(9_000);
        Assert.Equal(TtlUpdateOutcome.Missing, fixture.Cache.UpdateTtlIfPrefix("k"u8, "header"u8, 9_000, head, out _));
    }

    [Theory]
    [InlineData(-500)]
    [InlineData(-5_000)]
    [InlineData(-10_000_000)]
    public void Clock_step_back_neither_revives_entries_nor_extends_TTLs(long stepMs)
    {
        using var fixture = new StoreFixture();
        fixture.Clock.AdvanceMs(2_000);
        fixture.Set("gone", "v", ttlMs: 500);
        fixture.Set("there", "v", ttlMs: 5_000);
        fixture.Clock.AdvanceMs(1_000);
        Assert.Null(fixture.Get("gone"));
        fixture.Clock.AdvanceMs(stepMs);
        fixture.Set("new", "v", ttlMs: 1_000);
        fixture.Store.Maintain();
        fixture.Store.AssertValid();

        // Expired entries stay expired, and the remaining time of an entry does not exceed its TTL.
        Assert.Null(fixture.Get("gone"));
        Assert.True(fixture.Cache.TryGetTtl("there"u8, out long left));
        Assert.Equal(3_999, left);
        Assert.True(fixture.Cache.TryGetTtl("new"u8, out left));
        Assert.Equal(999, left);
        fixture.Clock.AdvanceMs(-stepMs + 1_000);
        Assert.Null(fixture.Get("new"));
        Assert.Equal("v", fixture.Get("there"));
        fixture.Clock.AdvanceMs(3_000);
        Assert.Null(fixture.Get("there"));
        fixture.Clock.AdvanceMs(1_000);
        for (int i = 0; i < 10; i++)
        {
            fixture.Store.Maintain();
        }

        Assert.Equal(0, fixture.Store.GetStatistics().Entries);
    }

    [Fact]
    public void Entry_expires_exactly_at_end_of_TTL()
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "v", ttlMs: 200);
        fixture.Clock.AdvanceMs(199);
        Assert.Equal("v", fixture.Get("k"));
        fixture.Clock.AdvanceMs(1);
        Assert.Null(fixture.Get("k"));
        Assert.False(fixture.Cache.Contains("k"u8));
        Assert.False(fixture.Cache.TryGetTtl("k"u8, out _));
        Assert.False(fixture.Cache.Delete("k"u8));
        Assert.Equal(TtlUpdateOutcome.Missing, fixture.Cache.UpdateTtl("k"u8, TtlUpdate.OverwriteTo, 1));
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 1)]
    [InlineData(1000, 999)]
    public void TryGetTtl_rounds_down_and_returns_less_than_configured_TTL(long ttlMs, long remaining)
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "v", ttlMs);
        Assert.True(fixture.Cache.TryGetTtl("k"u8, out long left));
        Assert.Equal(remaining, left);
        Assert.False(fixture.Cache.TryGetTtl("none"u8, out _));
    }

    [Theory]
    [InlineData(TtlUpdate.IncreaseTo, 50, TtlUpdateOutcome.NotSet, 99)]
    [InlineData(TtlUpdate.IncreaseTo, 500, TtlUpdateOutcome.Set, 499)]
    [InlineData(TtlUpdate.DecreaseTo, 50, TtlUpdateOutcome.Set, 49)]
    [InlineData(TtlUpdate.DecreaseTo, 500, TtlUpdateOutcome.NotSet, 99)]
    [InlineData(TtlUpdate.OverwriteTo, 50, TtlUpdateOutcome.Set, 49)]
    [InlineData(TtlUpdate.OverwriteTo, 500, TtlUpdateOutcome.Set, 499)]
    public void UpdateTtl_increases_or_decreases_TTL_only_as_requested(TtlUpdate kind, long ttlMs, TtlUpdateOutcome outcome, long remaining)
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "v", ttlMs: 100);
        Assert.Equal(outcome, fixture.Cache.UpdateTtl("k"u8, kind, ttlMs));
        Assert.True(fixture.Cache.TryGetTtl("k"u8, out long left));
        Assert.Equal(remaining, left);
        fixture.Clock.AdvanceMs(remaining);
        Assert.Equal("v", fixture.Get("k"));
        fixture.Clock.AdvanceMs(1);
        Assert.Null(fixture.Get("k"));
    }

    [Fact]
    public void S4_Wall_clock_jump_changes_no_TTL()
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "v", ttlMs: 1000);
        fixture.Clock.SetWall(TimeSpan.FromHours(-1));
        Assert.Equal("v", fixture.Get("k"));
        fixture.Clock.SetWall(TimeSpan.FromDays(366));
        Assert.Equal("v", fixture.Get("k"));
        Assert.True(fixture.Cache.TryGetTtl("k"u8, out long left));
        Assert.Equal(999, left);
        fixture.Clock.SetWall(TimeSpan.FromDays(-800));
        fixture.Clock.AdvanceMs(1000);
        Assert.Null(fixture.Get("k"));
    }

    [Fact]
    public void Memory_of_expired_entries_is_freed_and_live_entries_stay()
    {
        using var fixture = new StoreFixture(maxMemoryBytes: 64L << 20);
        for (int i = 0; i < 20_000; i++)
        {
            fixture.Set($"short{i}", "v", ttlMs: 1 + (i * 37 % 60_000));
            fixture.Set($"long{i}", "v", ttlMs: 12 * StoreFixture.Hour);
        }

        for (int second = 0; second < 70; second++)
        {
            fixture.Clock.AdvanceMs(1000);
            fixture.Store.Maintain();
        }

        StoreStatistics statistics = fixture.Store.GetStatistics();
        Assert.Equal(20_000, statistics.Entries);
        Assert.Equal(20_000, statistics.Evictions.Expired);
        Assert.Equal(0, statistics.Evictions.Memory);
        Assert.Equal("v", fixture.Get("long19999"));
    }

    [Fact]
    public void Entries_with_any_TTL_expire_on_time_after_clock_jumps()
    {
        var random = new Random(5);
        using var fixture = new StoreFixture();
        var expiry = new Dictionary<string, long>();
        long now = 0;
        for (int i = 0; i < 4_000; i++)
        {
            string key = $"k{i}";
            long ttl = 1 + (long)Math.Pow(86_400_000, random.NextDouble());
            ttl = Math.Min(ttl, 86_400_000);
            fixture.Set(key, "v", ttl);
            expiry[key] = now + ttl;
            if (i % 10 == 0)
            {
                long leap = (long)Math.Pow(3_000_000, random.NextDouble());
                now += leap;
                fixture.Clock.AdvanceMs(leap);
                fixture.Store.Maintain();
            }
        }

        foreach ((string key, long at) in expiry)
        {
            Assert.Equal(at > now, fixture.Cache.Contains(StoreFixture.Bytes(key)));
        }
    }
}
