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
        await Eventually.UntilAsync(() => Task.FromResult(follower.IsConnected), "the gateway follows the changes");
        for (int i = 0; i < 3; i++)
        {
            string name = $"c{i}";
            Assert.Null(_directory.Find(name));
            Assert.Equal(DirectoryOutcome.Done, await _other.ChangeAsync(DirectoryChange.Create, name));
            await Eventually.UntilAsync(() => Task.FromResult(_directory.Find(name) is not null), $"the gateway has read {name}");
        }

        Assert.Equal("1", _redis.Ask("xlen", FleetDirectory.ChangesKey).Trim());
    }

    [Theory]
    [InlineData("del", FleetDirectory.ChangesKey)]
    [InlineData("client", "kill", "type", "normal")]
    public async Task Changes_are_announced_again_after_the_stream_or_the_connection_was_lost(params string[] fault)
    {
        await _directory.SendHeartbeatAsync();
        await using StreamFollower follower = _store.Follow(DirectoryFeed.Slot);
        follower.Add(new DirectoryFeed(_directory));
        await Eventually.UntilAsync(() => Task.FromResult(follower.IsConnected), "the gateway follows the changes");
        await _other.ChangeAsync(DirectoryChange.Create, "before");
        await Eventually.UntilAsync(() => Task.FromResult(_directory.Find("before") is not null), "the gateway has read the first change");
        _redis.Ask(fault);
        // An announcement between the loss and the new connection is not received, so the change is repeated.
        int changes = 0;
        await Eventually.UntilAsync(
            async () =>
            {
                try
                {
                    await _other.ChangeAsync(DirectoryChange.Create, $"c{changes++}");
                }
                catch (FleetQueryException)
                {
                    // The store's own connection was lost, too.
                }

                return _directory.Find("c0") is not null || _directory.Names.Count > 2;
            },
            "the gateway has read a later change");
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
}
