namespace Larder.Store.Tests;

public sealed class IncrementTests
{
    [Fact]
    public void Increment_creates_missing_key_with_amount()
    {
        using var fixture = new StoreFixture();
        Assert.Equal(IncrementOutcome.Ok, fixture.Cache.Increment("k"u8, -7, 1000, out long value));
        Assert.Equal(-7, value);
        Assert.Equal("-7", fixture.Get("k"));
    }

    [Theory]
    [InlineData("41", 1, 42)]
    [InlineData("0", 0, 0)]
    [InlineData("-1", 1, 0)]
    [InlineData("9223372036854775806", 1, long.MaxValue)]
    [InlineData("-9223372036854775807", -1, long.MinValue)]
    public void Increment_stores_sum_as_decimal_text(string before, long amount, long after)
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", before);
        Assert.Equal(IncrementOutcome.Ok, fixture.Cache.Increment("k"u8, amount, 1000, out long value));
        Assert.Equal(after, value);
        Assert.Equal(after.ToString(System.Globalization.CultureInfo.InvariantCulture), fixture.Get("k"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("x")]
    [InlineData("1x")]
    [InlineData(" 1")]
    [InlineData("+1")]
    [InlineData("1.0")]
    [InlineData("9223372036854775808")]
    [InlineData("000000000000000000000000000001")]
    public void P7_Increment_of_non_integer_value_leaves_it_unchanged(string before)
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", before, ttlMs: 100);
        Assert.Equal(IncrementOutcome.NotAnInteger, fixture.Cache.Increment("k"u8, 1, 5000, out _));
        Assert.Equal(before, fixture.Get("k"));
        fixture.Clock.AdvanceMs(100);
        Assert.Null(fixture.Get("k"));
    }

    [Theory]
    [InlineData("9223372036854775807", 1)]
    [InlineData("-9223372036854775808", -1)]
    [InlineData("1", long.MaxValue)]
    [InlineData("-1", long.MinValue)]
    public void P7_Increment_overflow_leaves_value_unchanged(string before, long amount)
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", before);
        Assert.Equal(IncrementOutcome.Overflow, fixture.Cache.Increment("k"u8, amount, 1000, out _));
        Assert.Equal(before, fixture.Get("k"));
    }

    [Fact]
    public void Increment_refreshes_TTL()
    {
        using var fixture = new StoreFixture();
        fixture.Cache.Increment("k"u8, 1, 100, out _);
        fixture.Clock.AdvanceMs(90);
        fixture.Cache.Increment("k"u8, 1, 100, out _);
        fixture.Clock.AdvanceMs(90);
        Assert.Equal("2", fixture.Get("k"));
        fixture.Clock.AdvanceMs(10);
        Assert.Equal(IncrementOutcome.Ok, fixture.Cache.Increment("k"u8, 5, 100, out long value));
        Assert.Equal(5, value);
    }

    [Fact]
    public void INC10_Increment_with_keepTtl_keeps_TTL()
    {
        using var fixture = new StoreFixture();
        // An increment from 9 to 10 writes a new entry, and an increment from 10 to 11 changes the entry in place. Neither extends the TTL.
        fixture.Cache.Increment("k"u8, 9, 100, out _, keepTtl: true);
        fixture.Clock.AdvanceMs(40);
        fixture.Cache.Increment("k"u8, 1, 5_000, out _, keepTtl: true);
        fixture.Clock.AdvanceMs(40);
        fixture.Cache.Increment("k"u8, 1, 5_000, out long value, keepTtl: true);
        Assert.Equal(11, value);
        fixture.Clock.AdvanceMs(19);
        Assert.Equal("11", fixture.Get("k"));
        fixture.Clock.AdvanceMs(1);
        Assert.Null(fixture.Get("k"));
        fixture.Cache.Increment("k"u8, 1, 50, out value, keepTtl: true);
        Assert.Equal(1, value);
        fixture.Clock.AdvanceMs(50);
        Assert.Null(fixture.Get("k"));
    }

    [Fact]
    public async Task Concurrent_increments_lose_no_update()
    {
        using var fixture = new StoreFixture();
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() =>
        {
            for (int i = 0; i < 20_000; i++)
            {
                fixture.Cache.Increment("k"u8, 1, 1000, out long _);
            }
        })));
        Assert.Equal("80000", fixture.Get("k"));
    }
}
