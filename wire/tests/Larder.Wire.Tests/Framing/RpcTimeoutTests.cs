using FsCheck;
using FsCheck.Fluent;

namespace Larder.Wire.Tests.Framing;

public sealed class RpcTimeoutTests
{
    [Theory]
    [InlineData("1H", 3_600_000)]
    [InlineData("2M", 120_000)]
    [InlineData("3S", 3_000)]
    [InlineData("4m", 4)]
    [InlineData("5000u", 5)]
    [InlineData("6000000n", 6)]
    [InlineData("0m", 0)]
    [InlineData("99999999m", 99_999_999)]
    public void TryParse_reads_every_unit(string text, long milliseconds)
    {
        Assert.True(RpcTimeout.TryParse(text, out TimeSpan timeout));
        Assert.Equal(TimeSpan.FromMilliseconds(milliseconds), timeout);
    }

    [Theory]
    [InlineData("")]
    [InlineData("m")]
    [InlineData("5")]
    [InlineData("5x")]
    [InlineData("-5m")]
    [InlineData("+5m")]
    [InlineData(" 5m")]
    [InlineData("5 m")]
    [InlineData("1.5S")]
    [InlineData("123456789m")]
    public void TryParse_rejects_invalid_timeout(string text) => Assert.False(RpcTimeout.TryParse(text, out _));

    [Fact]
    public void TryParse_reads_longest_timeout()
    {
        Assert.True(RpcTimeout.TryParse("99999999H", out TimeSpan timeout));
        Assert.Equal(TimeSpan.FromHours(99_999_999), timeout);
    }

    [Fact]
    public void TryParse_rounds_nanoseconds_up()
    {
        Assert.True(RpcTimeout.TryParse("1n", out TimeSpan timeout));
        Assert.True(timeout > TimeSpan.Zero);
    }

    [Fact]
    public void Format_and_TryParse_round_trip_without_shortening() => Prop.ForAll(
        ArbMap.Default.ArbFor<long>().Filter(ticks => ticks >= 0),
        ticks =>
        {
            TimeSpan timeout = TimeSpan.FromTicks(ticks % TimeSpan.FromDays(3_650_000).Ticks);
            string text = RpcTimeout.Format(timeout);
            return RpcTimeout.TryParse(text, out TimeSpan read) && read >= timeout && text.Length <= 9;
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Format_writes_zero_or_negative_timeout_as_0m()
    {
        Assert.Equal("0m", RpcTimeout.Format(TimeSpan.Zero));
        Assert.Equal("0m", RpcTimeout.Format(TimeSpan.FromSeconds(-1)));
        Assert.Equal("1m", RpcTimeout.Format(TimeSpan.FromTicks(1)));
    }
}
