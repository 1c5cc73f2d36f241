namespace Larder.Redis.Tests;

/// <summary>Tests of FLEET-5: a node that sends nothing.</summary>
public sealed class NodeWatchdogTests
{
    private readonly NodeWatchdog _watchdog = new(limit: 1000);

    [Fact]
    public void Silence_is_measured_from_first_outstanding_call()
    {
        Assert.False(Look(from: 0, to: 5000, outstanding: 0));
        _watchdog.OnFirstCall(5000);
        Assert.False(Look(from: 5010, to: 5990));
        Assert.True(Look(from: 6000, to: 6000));
    }

    [Fact]
    public void Received_data_restarts_silence_timer()
    {
        _watchdog.OnFirstCall(0);
        Assert.False(Look(from: 10, to: 900));
        _watchdog.OnHeard();
        Assert.False(Look(from: 910, to: 1890));
        Assert.True(Look(from: 1900, to: 1900));
    }

    [Fact]
    public void Node_without_outstanding_calls_is_never_silent()
    {
        Assert.False(Look(from: 0, to: 10_000, outstanding: 0));
    }

    [Fact]
    public void Time_while_suspended_does_not_count_as_silence()
    {
        // The machine was suspended. Data that arrived during this time has not been read yet.
        _watchdog.OnFirstCall(0);
        Assert.False(Look(from: 10, to: 100));
        Assert.False(Look(from: 9000, to: 9500));
        _watchdog.OnHeard();
        Assert.False(Look(from: 9510, to: 10_490));
        // A node that remains silent is still detected.
        _watchdog.OnHeard();
        Assert.False(Look(from: 90_000, to: 90_000));
        Assert.Contains(true, Enumerable.Range(1, 100).Select(look => _watchdog.IsSilent(90_000 + (look * 10), outstanding: 1)));
    }

    // Checks every 10 ticks, like the ticker. Returns the result of the last check.
    private bool Look(int from, int to, int outstanding = 1)
    {
        bool silent = false;
        for (int now = from; now <= to; now += 10)
        {
            Assert.False(silent);
            silent = _watchdog.IsSilent(now, outstanding);
        }

        return silent;
    }
}
