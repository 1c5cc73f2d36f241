namespace Larder.Wire.Tests.Server.Connections;

public sealed class MinimumRateTests
{
    private static readonly TimeSpan Span = TimeSpan.FromSeconds(10);

    [Theory]
    [InlineData(9_999, 0, false)]
    [InlineData(10_000, 999, true)]
    [InlineData(10_000, 1_000, false)]
    [InlineData(20_000, 1_000, true)]
    public void IsTooSlow_is_true_below_rate_over_whole_span(long nowMs, long bytes, bool isTooSlow)
    {
        MinimumRate rate = default;
        rate.Begin(0, 0);
        Assert.Equal(isTooSlow, rate.IsTooSlow(nowMs, bytes, Span, bytesPerSecond: 100));
    }

    [Fact]
    public void IsTooSlow_is_true_for_one_byte_every_eight_seconds()
    {
        MinimumRate rate = default;
        rate.Begin(0, 0);
        long ended = Enumerable.Range(1, 1_000).Select(tick => tick * 500L).First(now => rate.IsTooSlow(now, now / 8_000, Span, bytesPerSecond: 240));
        Assert.Equal(10_000, ended);
    }

    [Fact]
    public void IsTooSlow_ignores_earlier_fast_periods()
    {
        MinimumRate rate = default;
        rate.Begin(0, 0);
        Assert.False(rate.IsTooSlow(10_000, 10_000_000, Span, bytesPerSecond: 240));
        Assert.False(rate.IsTooSlow(19_999, 10_000_000, Span, bytesPerSecond: 240));
        Assert.True(rate.IsTooSlow(20_000, 10_000_000, Span, bytesPerSecond: 240));
    }
}
