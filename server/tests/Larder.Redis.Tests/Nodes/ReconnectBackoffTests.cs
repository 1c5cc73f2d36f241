namespace Larder.Redis.Tests;

/// <summary>When a connection is reopened.</summary>
public sealed class ReconnectBackoffTests
{
    private readonly ReconnectBackoff _backoff = new();

    [Fact]
    public void A_connection_that_held_is_made_again_at_once()
    {
        Assert.True(_backoff.MayConnect(At(0)));
        _backoff.OnConnected(At(0));
        _backoff.OnEnded(At(1000), 0.5);
        Assert.True(_backoff.MayConnect(At(1000)));
    }

    [Fact]
    public void Failures_wait_twice_as_long_each_time_up_to_1_s()
    {
        int now = 0;
        foreach (int wait in new[] { 20, 40, 80, 160, 320, 640, 1000, 1000, 1000 })
        {
            _backoff.OnEnded(At(now), 0.5);
            Assert.False(_backoff.MayConnect(At(now + wait - 1)));
            Assert.True(_backoff.MayConnect(At(now + wait)));
            now += wait;
        }
    }

    [Fact]
    public void Who_accepts_and_hangs_up_is_a_failure()
    {
        for (int round = 0; round < 10; round++)
        {
            _backoff.OnConnected(At(0));
            _backoff.OnEnded(At(10), 0.5);
        }

        Assert.False(_backoff.MayConnect(At(1000)));
    }

    [Fact]
    public void Waits_are_spread()
    {
        _backoff.OnEnded(At(0), 0);
        Assert.True(_backoff.MayConnect(At(15)));
        Assert.False(_backoff.MayConnect(At(14)));
    }

    private static TimeSpan At(int milliseconds) => TimeSpan.FromMilliseconds(milliseconds);
}
