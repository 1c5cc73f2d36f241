using Larder.Harness.Proxies;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Near;

namespace Larder.Server.Tests.Fleet.Near;

/// <summary>Tests of FLEET-17: a master loses the connections to the other nodes, but not to a gateway.</summary>
public sealed class IsolatedMasterTests : IAsyncLifetime, IDisposable
{
    private readonly Dictionary<RedisServer, FaultProxy> _buses = [];
    private readonly RedisCluster _cluster;

    public IsolatedMasterTests() => _cluster = new RedisCluster(replicas: 1, nodeTimeoutMs: 2000, BusOf);

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        foreach (FaultProxy bus in _buses.Values)
        {
            await bus.DisposeAsync();
        }
    }

    public void Dispose() => _cluster.Dispose();

    [Fact]
    public async Task FLEET_17_isolated_master_renews_no_lease_until_failover_clears_copies()
    {
        (RedisServer master, RedisServer replica) = (_cluster.Servers[0], _cluster.Servers[3]);
        await using RunningServer gateway = await RunningGateway.StartAsync(_cluster.Url);
        await using NearClient client = await gateway.OpenNearAsync();
        string key = Enumerable.Range(0, 1_000).Select(static number => $"{{{number}}}").First(key => _cluster.Of(key) == master);
        await gateway.SetAsync(key, "old");
        Eventually.Until(() => replica.Ask("dbsize") == "1", "the replica has it");
        string stored = replica.StoredName(key);
        Assert.NotEqual(0u, (await client.GetAsync(key)).Ticket);
        foreach ((RedisServer server, FaultProxy bus) in _buses)
        {
            bus.IsCut = server == master;
            bus.CutFrom = _cluster.AddressOf(master);
        }

        // No client reads the key during this time. Only the gateway's barrier reads from the node.
        Eventually.Until(() => master.Ask("get", stored).StartsWith("CLUSTERDOWN", StringComparison.Ordinal), "the master has found out");
        await client.SettleAsync();
        Assert.StartsWith("master", replica.Ask("role"), StringComparison.Ordinal);
        Assert.True(client.Clears > 0);
        Result again = await client.GetAsync(key);
        Assert.Equal("old", again.Get.Value.ToStringUtf8());
        replica.Ask("set", stored, "new", "px", "60000");
        await client.UntilInvalidatedAsync(each => each.Told.Contains(again.Ticket - 1));
        Assert.Equal("new", (await client.GetAsync(key)).Get.Value.ToStringUtf8());
    }

    private int BusOf(RedisServer server)
    {
        if (!_buses.TryGetValue(server, out FaultProxy? bus))
        {
            _buses[server] = bus = new FaultProxy(server.BusPort);
        }

        return bus.Port;
    }
}
