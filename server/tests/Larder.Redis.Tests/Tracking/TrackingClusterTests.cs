using System.Globalization;
using Larder.Harness.Redis;

namespace Larder.Redis.Tests.Tracking;

/// <summary>Tests of NEAR-41 and NEAR-42 with a real cluster: slots that move, and a master that is lost.</summary>
public sealed class TrackingClusterTests
{
    private readonly TestWatch _watch = new();

    [Fact]
    public async Task Confirmation_requires_a_reply_from_every_master()
    {
        using RedisCluster cluster = new();
        await using TestStore store = await OpenAsync(cluster);
        string[] keys = [.. Enumerable.Range(0, 300).Select(static number => $"k{number}")];
        await Task.WhenAll(keys.Select(key => TrackedGet.AskAsync(store.Store, key)));
        await Task.WhenAll(keys.Select(key => cluster.Of(key).AskAsync("SET", key, "new")));
        await ConfirmAsync(store);
        Assert.Equal(keys.Order(), _watch.Notifications.Order());
        cluster.Servers[2].Pause();
        long number = store.Store.Confirm();
        Eventually.Until(() => _watch.Losses > 0, "it is given up");
        Assert.True(_watch.Last < number);
        cluster.Servers[2].Resume();
        Eventually.Until(() => _watch.Last >= number, "it confirms");
    }

    [Fact]
    public async Task Slot_migration_invalidates_keys_and_is_then_reported_as_loss()
    {
        using RedisCluster cluster = new();
        await using TestStore store = await OpenAsync(cluster);
        const string Key = "{moving}1";
        RedisServer from = cluster.Of("moving");
        RedisServer to = cluster.Servers.First(server => server != from);
        string slot = cluster.SlotOf("moving").ToString(CultureInfo.InvariantCulture);
        from.Ask("SET", Key, "v", "PX", "600000");
        Assert.True((await TrackedGet.AskAsync(store.Store, Key)).IsTracked);
        to.Ask("cluster", "setslot", slot, "importing", from.Ask("cluster", "myid"));
        from.Ask("cluster", "setslot", slot, "migrating", to.Ask("cluster", "myid"));
        Assert.Equal("OK", from.Ask("migrate", "127.0.0.1", to.Port.ToString(CultureInfo.InvariantCulture), Key, "0", "60000"));
        await ConfirmAsync(store);
        Assert.Equal([Key], _watch.Notifications);
        TrackedAnswer asked = await TrackedGet.AskAsync(store.Store, Key);
        Assert.Equal(("v", false), (asked.Value, asked.IsTracked));
        string id = to.Ask("cluster", "myid");
        to.Ask("cluster", "setslot", slot, "node", id);
        from.Ask("cluster", "setslot", slot, "node", id);
        Eventually.Until(() => _watch.Losses > 0, "it is known that the slot has moved");
        TrackedAnswer moved = await TrackedGet.AskAsync(store.Store, Key);
        Assert.Equal(("v", true), (moved.Value, moved.IsTracked));
        await ConfirmAsync(store);
        _watch.Forget();
        to.Ask("SET", Key, "new");
        await ConfirmAsync(store);
        Assert.Equal([Key], _watch.Notifications);
    }

    [Fact]
    public async Task Slot_reassigned_with_its_keys_is_reported_as_loss()
    {
        using RedisCluster cluster = new();
        await using TestStore store = await OpenAsync(cluster);
        RedisServer from = cluster.Of("k1");
        RedisServer to = cluster.Servers.First(server => server != from);
        string slot = cluster.SlotOf("k1").ToString(CultureInfo.InvariantCulture);
        from.Ask("SET", "k1", "v", "PX", "600000");
        Assert.True((await TrackedGet.AskAsync(store.Store, "k1")).IsTracked);
        to.Ask("cluster", "setslot", slot, "importing", from.Ask("cluster", "myid"));
        to.Ask("cluster", "setslot", slot, "node", to.Ask("cluster", "myid"));
        // The old master drops the key without sending an invalidation, and no call of the test is sent to the new master.
        Eventually.Until(() => _watch.Losses > 0, "it is known that the slot has moved");
    }

    [Fact]
    public async Task Killed_master_blocks_confirmation_until_failover_reports_loss()
    {
        using RedisCluster cluster = new(replicas: 1, nodeTimeoutMs: 2000);
        await using TestStore store = await OpenAsync(cluster);
        RedisServer killed = cluster.Servers[0];
        string key = Enumerable.Range(0, 100).Select(static number => $"k{number}").First(key => cluster.Of(key) == killed);
        killed.Ask("SET", key, "old", "PX", "600000");
        Eventually.Until(() => cluster.Servers[3].Ask("dbsize") == "1", "the replica has it");
        Assert.True((await TrackedGet.AskAsync(store.Store, key)).IsTracked);
        await ConfirmAsync(store);
        killed.Kill();
        long number = store.Store.Confirm();
        await Eventually.UntilAsync(
            () =>
            {
                bool isOver = cluster.Servers[3].Ask("role").StartsWith("master", StringComparison.Ordinal);
                Assert.True(isOver || _watch.Last < number);
                return Task.FromResult(isOver);
            },
            "the replica takes over");
        Eventually.Until(() => _watch.Last >= number, "it confirms");
        Assert.Contains("*", _watch.Notifications);
        await Eventually.UntilAsync(async () => (await TrackedGet.AskAsync(store.Store, key)).IsTracked, "it is tracked at the new master");
        _watch.Forget();
        cluster.Servers[3].Ask("SET", key, "new");
        await ConfirmAsync(store);
        Assert.Contains(key, _watch.Notifications);
    }

    [Fact]
    public async Task Manual_failover_is_reported_as_loss_before_confirmation()
    {
        using RedisCluster cluster = new(replicas: 1, nodeTimeoutMs: 2000);
        await using TestStore store = await OpenAsync(cluster);
        string key = Enumerable.Range(0, 100).Select(static number => $"k{number}").First(key => cluster.Of(key) == cluster.Servers[0]);
        cluster.Servers[0].Ask("SET", key, "old", "PX", "600000");
        Assert.True((await TrackedGet.AskAsync(store.Store, key)).IsTracked);
        Assert.Equal("OK", cluster.Servers[3].Ask("cluster", "failover"));
        Eventually.Until(() => cluster.Servers[3].Ask("role").StartsWith("master", StringComparison.Ordinal), "the replica takes over");
        // Until the old master has received the new configuration, it confirms reads and no client of it can know of the failover.
        Eventually.Until(() => cluster.Servers[0].Ask("role").StartsWith("slave", StringComparison.Ordinal), "the old master becomes a replica");
        // The watch must be notified of the loss before the confirmation, because a client may already have read the new value from the new master.
        cluster.Servers[3].Ask("SET", key, "new");
        await ConfirmAsync(store);
        Assert.Contains("*", _watch.Notifications);
    }

    private async Task<TestStore> OpenAsync(RedisCluster cluster)
    {
        TestStore store = new TestStore(cluster.Url).Ready();
        store.Store.Watch(_watch);
        await ConfirmAsync(store);
        _watch.Forget();
        return store;
    }

    private Task ConfirmAsync(TestStore store)
    {
        long number = store.Store.Confirm();
        return Eventually.UntilAsync(() => Task.FromResult(_watch.Last >= number), "it confirms");
    }
}
