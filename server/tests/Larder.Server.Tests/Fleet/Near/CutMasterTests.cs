using System.Globalization;
using Larder.Harness.Proxies;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Near;
using Xunit.Abstractions;

namespace Larder.Server.Tests.Fleet.Near;

/// <summary>FLEET-11: a master that is cut off from the other nodes alone, and not from a front.</summary>
public sealed class CutMasterTests(ITestOutputHelper output)
{
    [Fact]
    public async Task FLEET_11_once_a_cut_off_master_has_found_out_no_lease_is_renewed_but_behind_a_clear()
    {
        List<FaultProxy> proxies = [];
        Dictionary<RedisServer, FaultProxy> buses = [];
        using RedisCluster cluster = new(replicas: 1, nodeTimeoutMs: 2000, server =>
        {
            if (!buses.TryGetValue(server, out FaultProxy? bus))
            {
                buses[server] = bus = new FaultProxy(server.BusPort);
                proxies.Add(bus);
            }

            return bus.Port;
        });
        (RedisServer cut, RedisServer replica) = (cluster.Servers[0], cluster.Servers[3]);
        await using RunningServer front = await RunningFront.StartAsync(cluster.Url);
        await using NearClient client = await front.OpenNearAsync();
        string key = Enumerable.Range(0, 1_000).Select(static number => $"{{{number}}}").First(key => cluster.Of(key) == cut);
        await front.SetAsync(key, "old");
        Patience.Until(() => replica.Ask("dbsize") == "1", "the replica has it");
        string stored = replica.StoredName(key);
        foreach ((RedisServer server, FaultProxy bus) in buses)
        {
            bus.IsCut = server == cut;
            bus.CutFrom = cluster.AddressOf(cut);
        }

        // Until it has found out the master is read, and proves what it knows.
        bool isWritten = false;
        int stale = 0;
        while (!cut.Ask("get", stored).StartsWith("CLUSTERDOWN", StringComparison.Ordinal))
        {
            isWritten = isWritten || replica.Ask("set", stored, "new", "px", "60000") == "OK";
            int before = client.Clears;
            Result get = await client.GetAsync(key);
            await client.SettleAsync();
            stale += isWritten && client.Clears == before && get.Get?.Value.ToStringUtf8() == "old" ? 1 : 0;
        }

        Patience.Until(() => isWritten || replica.Ask("set", stored, "new", "px", "60000") == "OK", "the replica has taken over");
        int clears = client.Clears;
        await client.SettleAsync();
        Result after = await client.GetAsync(key);
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"renewals with an old copy after the write: {stale}; clears: {clears}, {client.Clears}"));
        Assert.True(client.Clears > 0);
        Assert.Equal("new", after.Get.Value.ToStringUtf8());
        foreach (FaultProxy proxy in proxies)
        {
            await proxy.DisposeAsync();
        }
    }
}
