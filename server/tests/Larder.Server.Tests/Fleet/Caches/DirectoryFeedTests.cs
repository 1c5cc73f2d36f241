using Larder.Harness.Redis;
using Larder.Redis;
using Larder.Redis.Tests;
using Larder.Server.Fleet;

namespace Larder.Server.Tests.Fleet;

/// <summary>Tests of FLEET-7: a gateway reads the directory when another gateway announces a change. No heartbeats run in these tests.</summary>
public sealed class DirectoryFeedTests : IAsyncLifetime, IDisposable
{
    private readonly RedisServer _redis = new();
    private RedisStore _store = null!;
    private FleetDirectory _directory = null!;
    private FleetDirectory _other = null!;

    public async Task InitializeAsync()
    {
        _store = await StallTolerantStore.StartAsync(_redis);
        _directory = new FleetDirectory(_store, "cache", TimeProvider.System);
        _other = new FleetDirectory(_store, "cache", TimeProvider.System);
    }

    public async Task DisposeAsync()
    {
        await _directory.DisposeAsync();
        await _other.DisposeAsync();
        await _store.DisposeAsync();
    }

    public void Dispose() => _redis.Dispose();

    [Fact]
    public async Task FLEET_7_gateway_reads_each_announced_change_without_a_heartbeat()
    {
        await _directory.SendHeartbeatAsync();
        await using StreamFollower follower = _store.Follow(DirectoryFeed.Slot);
        follower.Add(new DirectoryFeed(_directory));
        for (int i = 0; i < 3; i++)
        {
            await ReadsAsync($"c{i}");
        }

        Assert.Equal("1", _redis.Ask("xlen", FleetDirectory.ChangesKey).Trim());
    }

    [Fact]
    public async Task Change_before_the_gateway_follows_is_read_without_a_heartbeat()
    {
        await _directory.SendHeartbeatAsync();
        Assert.Equal(DirectoryOutcome.Done, await _other.ChangeAsync(DirectoryChange.Create, "before"));
        Assert.Null(_directory.Find("before"));
        await using StreamFollower follower = _store.Follow(DirectoryFeed.Slot);
        follower.Add(new DirectoryFeed(_directory));
        await Eventually.UntilAsync(() => Task.FromResult(_directory.Find("before") is not null), "the gateway has read the change");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Changes_are_read_after_the_stream_or_the_connection_was_lost(bool isConnection)
    {
        await _directory.SendHeartbeatAsync();
        await using StreamFollower follower = _store.Follow(DirectoryFeed.Slot);
        follower.Add(new DirectoryFeed(_directory));
        await ReadsAsync("before");
        Eventually.Until(() => Reader() is not null, "the gateway follows the changes");
        _redis.Ask(isConnection ? ["client", "kill", "id", Reader()!.Split(' ')[0][3..]] : ["del", FleetDirectory.ChangesKey]);
        await ReadsAsync("after");
    }

    [Fact]
    public async Task Store_that_rejects_the_stream_does_not_prevent_changes()
    {
        _redis.Ask("set", FleetDirectory.ChangesKey, "not a stream");
        await _directory.SendHeartbeatAsync();
        await using StreamFollower follower = _store.Follow(DirectoryFeed.Slot);
        follower.Add(new DirectoryFeed(_directory));
        Assert.Equal(DirectoryOutcome.Done, await _other.ChangeAsync(DirectoryChange.Create, "other"));
        await _directory.SendHeartbeatAsync();
        Assert.NotNull(_directory.Find("other"));
    }

    private string? Reader() =>
        _redis.Ask("client", "list").Split('\n').FirstOrDefault(static line => line.Contains("cmd=xread", StringComparison.Ordinal));

    private async Task ReadsAsync(string name)
    {
        Assert.Null(_directory.Find(name));
        Assert.Equal(DirectoryOutcome.Done, await _other.ChangeAsync(DirectoryChange.Create, name));
        await Eventually.UntilAsync(() => Task.FromResult(_directory.Find(name) is not null), $"the gateway has read {name}");
    }
}
