namespace Larder.Redis.Tests;

/// <summary>FLEET-5: a node that says nothing.</summary>
public sealed class NodeWatchdogTests
{
    private readonly NodeWatchdog _watchdog = new(limit: 1000);

    [Fact]
    public void Silence_counts_from_the_first_call_that_is_outstanding()
    {
        _watchdog.OnFirstCall(5000);
        Assert.False(_watchdog.IsSilent(5999, outstanding: 1));
        Assert.True(_watchdog.IsSilent(6000, outstanding: 1));
    }

    [Fact]
    public void What_is_heard_starts_it_anew()
    {
        _watchdog.OnFirstCall(0);
        _watchdog.OnHeard(900);
        Assert.False(_watchdog.IsSilent(1899, outstanding: 3));
        Assert.True(_watchdog.IsSilent(1900, outstanding: 3));
    }

    [Fact]
    public void Nobody_who_waits_for_nothing_is_let_down()
    {
        _watchdog.OnHeard(0);
        Assert.False(_watchdog.IsSilent(1_000_000, outstanding: 0));
    }
}
