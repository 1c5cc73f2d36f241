namespace Larder.Redis.Tests;

/// <summary>Tests of when a connection is reopened.</summary>
public sealed class ReconnectBackoffTests
{
    private readonly ReconnectBackoff _backoff = new();

    [Fact]
    public void Long_lived_connection_is_reopened_immediately_after_its_loss()
    {
        Assert.True(_backoff.MayConnect(At(0)));
        _backoff.OnConnected(At(0));
        _backoff.OnEnded(At(1000), 0.5);
        Assert.True(_backoff.MayConnect(At(1000)));
    }

    [Fact]
    public void Backoff_doubles_after_each_failure_up_to_1_s()
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
    public void Immediately_closed_connection_counts_as_failure()
    {
        for (int round = 0; round < 10; round++)
        {
            _backoff.OnConnected(At(0));
            _backoff.OnEnded(At(10), 0.5);
        }

        Assert.False(_backoff.MayConnect(At(1000)));
    }

    [Fact]
    public void Backoff_has_jitter()
    {
        _backoff.OnEnded(At(0), 0);
        Assert.True(_backoff.MayConnect(At(15)));
        Assert.False(_backoff.MayConnect(At(14)));
    }

    private static TimeSpan At(int milliseconds) => TimeSpan.FromMilliseconds(milliseconds);
}
