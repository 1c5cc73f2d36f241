namespace Larder.Redis.Tests;

/// <summary>FLEET-2: when the slot map is read, and from which node.</summary>
public sealed class RefreshPolicyTests
{
    private readonly RefreshPolicy _policy = new();
    private readonly RedisNode _node = new(new StoreContext(RedisOptions.Parse("redis://h")), new RedisEndPoint("h", 1), null!);

    [Fact]
    public void It_is_read_at_once_and_then_every_10_s()
    {
        Assert.True(TryBegin(0));
        _policy.End(At(5), isRead: true);
        Assert.False(TryBegin(10_004));
        Assert.True(TryBegin(10_005));
    }

    [Fact]
    public void While_there_are_near_caches_it_is_read_every_second()
    {
        Assert.True(TryBegin(0));
        _policy.End(At(5), isRead: true);
        Assert.False(_policy.TryBegin(At(1_004), isDegraded: false, isTracking: true, out _));
        Assert.True(_policy.TryBegin(At(1_005), isDegraded: false, isTracking: true, out _));
    }

    [Fact]
    public void Only_one_reading_is_under_way()
    {
        Assert.True(TryBegin(0));
        _policy.Want(null);
        Assert.False(TryBegin(60_000));
        _policy.End(At(60_000), isRead: true);
        Assert.True(TryBegin(60_001));
    }

    [Fact]
    public void What_is_wanted_is_read_100_ms_after_the_last_at_the_soonest()
    {
        Assert.True(TryBegin(0));
        _policy.End(At(1), isRead: true);
        _policy.Want(null);
        Assert.True(_policy.IsPressing);
        Assert.False(TryBegin(99));
        Assert.True(TryBegin(100));
    }

    [Fact]
    public void After_MOVED_its_sender_is_asked_once()
    {
        _policy.Want(_node);
        _policy.Want(null);
        Assert.True(_policy.TryBegin(At(0), isDegraded: false, isTracking: false, out RedisNode? preferred));
        Assert.Same(_node, preferred);
        _policy.End(At(1), isRead: false);
        Assert.True(_policy.TryBegin(At(100), isDegraded: false, isTracking: false, out preferred));
        Assert.Null(preferred);
    }

    [Fact]
    public void While_a_master_is_lost_it_is_read_every_100_ms_for_as_long_as_a_failover_takes_and_then_every_half_second()
    {
        Assert.True(TryBegin(0));
        _policy.End(At(0), isRead: true);
        Assert.False(TryBeginDegraded(50));
        Assert.False(TryBeginDegraded(99));
        Assert.True(TryBeginDegraded(100));
        _policy.End(At(100), isRead: true);
        Assert.True(TryBeginDegraded(15_049));
        _policy.End(At(15_049), isRead: true);
        Assert.False(TryBeginDegraded(15_548));
        Assert.True(TryBeginDegraded(15_549));
        _policy.End(At(15_549), isRead: true);

        // Complete again, and then lost again: that counts as a new failover.
        Assert.False(TryBegin(15_600));
        Assert.True(TryBeginDegraded(20_000));
        _policy.End(At(20_000), isRead: true);
        Assert.True(TryBeginDegraded(20_100));
    }

    private static TimeSpan At(int milliseconds) => TimeSpan.FromMilliseconds(milliseconds);

    private bool TryBeginDegraded(int milliseconds) => _policy.TryBegin(At(milliseconds), isDegraded: true, isTracking: false, out _);

    private bool TryBegin(int milliseconds) => _policy.TryBegin(At(milliseconds), isDegraded: false, isTracking: false, out _);
}
