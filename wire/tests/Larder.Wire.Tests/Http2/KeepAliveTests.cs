using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

public sealed class KeepAliveTests
{
    private static readonly TimeSpan Delay = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(1);

    [Fact]
    public void Silent_connection_is_pinged_after_delay_and_closed_after_timeout()
    {
        KeepAlive keepAlive = new(Delay, Limit, withoutCalls: true);
        Assert.Equal((KeepAlive.Verdict.Wait, Delay), Decide(keepAlive, nowS: 0, heardS: 0));
        Assert.Equal((KeepAlive.Verdict.Ping, Limit), Decide(keepAlive, nowS: 5, heardS: 0));
        Assert.Equal((KeepAlive.Verdict.Wait, TimeSpan.FromSeconds(0.5)), Decide(keepAlive, nowS: 5.5, heardS: 0));
        Assert.Equal(KeepAlive.Verdict.GiveUp, Decide(keepAlive, nowS: 6, heardS: 0).Verdict);
    }

    [Fact]
    public void Data_received_after_ping_keeps_connection_open()
    {
        KeepAlive keepAlive = new(Delay, Limit, withoutCalls: true);
        Decide(keepAlive, nowS: 5, heardS: 0);
        Assert.Equal((KeepAlive.Verdict.Wait, TimeSpan.FromSeconds(4.5)), Decide(keepAlive, nowS: 6, heardS: 5.5));
        Assert.Equal(KeepAlive.Verdict.Ping, Decide(keepAlive, nowS: 10.5, heardS: 5.5).Verdict);
    }

    [Fact]
    public void Active_connection_is_not_pinged()
    {
        KeepAlive keepAlive = new(Delay, Limit, withoutCalls: true);
        Assert.Equal((KeepAlive.Verdict.Wait, TimeSpan.FromSeconds(4)), Decide(keepAlive, nowS: 5, heardS: 4));
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(false, false)]
    public void Idle_connection_is_pinged_only_if_configured(bool withoutCalls, bool pings)
    {
        KeepAlive keepAlive = new(Delay, Limit, withoutCalls);
        Assert.Equal(pings, keepAlive.Decide(Delay, TimeSpan.Zero, hasCalls: false, isDoubted: false, out _) == KeepAlive.Verdict.Ping);
    }

    [Theory]
    [InlineData(5)]
    [InlineData(null)]
    public void Suspect_connection_is_pinged_when_silent_for_keepalive_timeout(int? delayS)
    {
        KeepAlive keepAlive = new(delayS is { } seconds ? TimeSpan.FromSeconds(seconds) : Timeout.InfiniteTimeSpan, Limit, withoutCalls: true);
        Assert.Equal(KeepAlive.Verdict.Wait, Decide(keepAlive, nowS: 2.999, heardS: 2, isDoubted: true).Verdict);
        Assert.Equal(KeepAlive.Verdict.Wait, Decide(keepAlive, nowS: 3, heardS: 2).Verdict);
        Assert.Equal((KeepAlive.Verdict.Ping, Limit), Decide(keepAlive, nowS: 3, heardS: 2, isDoubted: true));
        Assert.Equal((KeepAlive.Verdict.Wait, TimeSpan.FromSeconds(0.5)), Decide(keepAlive, nowS: 3.5, heardS: 2, isDoubted: true));
        Assert.Equal(KeepAlive.Verdict.GiveUp, Decide(keepAlive, nowS: 4, heardS: 2).Verdict);
    }

    [Fact]
    public void Acknowledged_ping_is_not_repeated_when_keepalive_is_off()
    {
        KeepAlive keepAlive = new(Timeout.InfiniteTimeSpan, Limit, withoutCalls: true);
        Assert.Equal(KeepAlive.Verdict.Ping, Decide(keepAlive, nowS: 20, heardS: 2, isDoubted: true).Verdict);
        Assert.Equal((KeepAlive.Verdict.Wait, Timeout.InfiniteTimeSpan), Decide(keepAlive, nowS: 21, heardS: 20.5));
    }

    [Fact]
    public void Suspect_connection_is_not_pinged_when_no_timeout_is_configured()
    {
        KeepAlive keepAlive = new(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan, withoutCalls: true);
        Assert.Equal(KeepAlive.Verdict.Wait, Decide(keepAlive, nowS: 3_600, heardS: 0, isDoubted: true).Verdict);
    }

    private static (KeepAlive.Verdict Verdict, TimeSpan Next) Decide(KeepAlive keepAlive, double nowS, double heardS, bool isDoubted = false) =>
        (keepAlive.Decide(TimeSpan.FromSeconds(nowS), TimeSpan.FromSeconds(heardS), hasCalls: true, isDoubted, out TimeSpan next), next);
}
