namespace Larder.Redis.Tests;

/// <summary>Tests of FLEET-2: when the slot map is read, and from which node.</summary>
public sealed class RefreshPolicyTests
{
    private readonly RefreshPolicy _policy = new();
    private readonly RedisNode _node = new(new StoreContext(RedisOptions.Parse("redis://h")), new RedisEndPoint("h", 1), null!);

    [Fact]
    public void Slot_map_is_refreshed_on_start_and_every_10_s()
    {
        Assert.True(TryBegin(0));
        _policy.End(At(5), isRead: true);
        Assert.False(TryBegin(10_004));
        Assert.True(TryBegin(10_005));
    }

    [Fact]
    public void Slot_map_is_refreshed_every_second_while_near_caches_exist()
    {
        Assert.True(TryBegin(0));
        _policy.End(At(5), isRead: true);
        Assert.False(_policy.TryBegin(At(1_004), isDegraded: false, isTracking: true, out _));
        Assert.True(_policy.TryBegin(At(1_005), isDegraded: false, isTracking: true, out _));
    }

    [Fact]
    public void Only_one_refresh_runs_at_a_time()
    {
        Assert.True(TryBegin(0));
        _policy.Want(null);
        Assert.False(TryBegin(60_000));
        _policy.End(At(60_000), isRead: true);
        Assert.True(TryBegin(60_001));
    }

    [Fact]
    public void Requested_refresh_starts_at_least_100_ms_after_previous_one()
    {
        Assert.True(TryBegin(0));
        _policy.End(At(1), isRead: true);
        _policy.Want(null);
        Assert.True(_policy.IsUrgent);
        Assert.False(TryBegin(99));
        Assert.True(TryBegin(100));
    }

    [Fact]
    public void Node_with_new_slot_map_is_preferred_for_one_refresh()
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
    public void Refresh_interval_grows_while_a_master_remains_disconnected()
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

        // All masters are connected again, and then one is lost again. This counts as a new failover.
        Assert.False(TryBegin(15_600));
        Assert.True(TryBeginDegraded(20_000));
        _policy.End(At(20_000), isRead: true);
        Assert.True(TryBeginDegraded(20_100));
    }

    private static TimeSpan At(int milliseconds) => TimeSpan.FromMilliseconds(milliseconds);

    private bool TryBeginDegraded(int milliseconds) => _policy.TryBegin(At(milliseconds), isDegraded: true, isTracking: false, out _);

    private bool TryBegin(int milliseconds) => _policy.TryBegin(At(milliseconds), isDegraded: false, isTracking: false, out _);
}
