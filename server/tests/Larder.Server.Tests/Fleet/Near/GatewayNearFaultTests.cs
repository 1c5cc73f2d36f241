using System.Globalization;
using Larder.Harness.Proxies;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Near;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Near;

/// <summary>Tests of NEAR-40 to NEAR-42 while connections are lost, nodes end or stall, and slots migrate.</summary>
public sealed class GatewayNearFaultTests
{
    private const int Rounds = 40;

    [Fact]
    public async Task Near_readers_at_two_gateways_see_no_old_value()
    {
        using RedisServer redis = new();
        await using RunningServer first = await RunningGateway.StartAsync(redis.Url);
        await using RunningServer second = await RunningGateway.StartAsync(redis.Url);
        await using NearRun run = new(first, second);
        await run.GoAsync(Rounds);
        Assert.True(run.Copies is { Kept: > 1_000, Dropped: > 100 }, $"{run.Copies}");
    }

    [Fact]
    public async Task Near_readers_see_no_old_value_when_connections_are_killed()
    {
        using RedisServer redis = new();
        await using RunningServer first = await RunningGateway.StartAsync(redis.Url);
        await using RunningServer second = await RunningGateway.StartAsync(redis.Url);
        await using NearRun run = new(first, second);
        for (int round = 0; round < Rounds; round++)
        {
            await run.GoAsync(1);
            foreach (string id in redis.TrackedIds())
            {
                redis.Ask("client", "kill", "id", id);
            }
        }

        await run.GoAsync(2);
    }

    [Fact]
    public async Task Near_readers_see_no_old_value_during_slot_migrations()
    {
        using RedisCluster cluster = new();
        await using RunningServer first = await RunningGateway.StartAsync(cluster.Url);
        await using RunningServer second = await RunningGateway.StartAsync(cluster.Url);
        await using NearRun run = new(first, second);
        await run.GoAsync(2);
        Dictionary<string, RedisServer> owners = [];
        for (int round = 0; round < 12; round++)
        {
            string key = await run.WrittenAsync(round * 9);
            // The node stores keys with a prefix. The prefix is part of the hashed name.
            string stored = cluster.Servers.Select(server => server.StoredName(key)).First(static name => name.Length > 0);
            RedisServer from = owners.GetValueOrDefault(stored) ?? cluster.Of(stored);
            RedisServer to = cluster.Servers.First(server => server != from);
            Move(cluster, stored, from, to);
            owners[stored] = to;
            await run.GoAsync(3);
        }

        Assert.True(run.Copies is { Kept: > 1_000, Dropped: > 100 }, $"{run.Copies}");
    }

    [Fact]
    public async Task Near_readers_see_no_old_value_during_failovers()
    {
        using RedisCluster cluster = new(replicas: 1, nodeTimeoutMs: 2000);
        await using RunningServer first = await RunningGateway.StartAsync(cluster.Url);
        await using RunningServer second = await RunningGateway.StartAsync(cluster.Url);
        await using NearRun run = new(first, second);
        for (int round = 0; round < 4; round++)
        {
            await run.GoAsync(3);
            RedisServer replica = cluster.Servers[round % 2 == 0 ? 3 : 0];
            // The request is repeated, because the replica discards a failover request that was not executed within 5 s.
            Eventually.Until(
                () => replica.Ask("role").StartsWith("master", StringComparison.Ordinal) || replica.Ask("cluster", "failover").Length == 0,
                "it takes over");
        }

        await run.GoAsync(6);
    }

    [Fact]
    public async Task Change_missed_by_a_killed_connection_clears_near_copies()
    {
        using RedisServer redis = new();
        await using RunningServer gateway = await RunningGateway.StartAsync(redis.Url);
        await using NearClient client = await gateway.OpenNearAsync();
        await gateway.SetAsync("k", "0");
        string stored = redis.StoredName("k");
        for (int round = 1; round <= 5; round++)
        {
            Assert.NotEqual(0u, (await client.GetAsync("k")).Ticket);
            foreach (string id in redis.TrackedIds())
            {
                redis.Ask("client", "kill", "id", id);
            }

            redis.Ask("set", stored, $"{round}", "px", "60000");
            await client.SettleAsync();
            Assert.True(client.Clears >= round);
            Assert.Empty(client.Told);
        }
    }

    [Fact]
    public async Task Isolated_gateway_clears_near_copies_before_renewing_leases()
    {
        using RedisServer redis = new();
        await using FaultProxy proxy = new(redis.Port);
        await using RunningServer gateway = await RunningGateway.StartAsync($"redis://{proxy.Endpoint}");
        await using NearClient client = await gateway.OpenNearAsync();
        await gateway.SetAsync("k", "old");
        Assert.NotEqual(0u, (await client.GetAsync("k")).Ticket);
        proxy.IsCut = true;
        redis.Ask("set", redis.StoredName("k"), "new", "px", "60000");
        await client.SendAsync([Renew(1)]);
        // The get may succeed or fail, but its response does not renew the lease of a client that keeps copies.
        Operation get = NearClient.Get(2, "k");
        get.DeadlineMs = 3_000;
        await client.SendAsync([get]);
        Dictionary<uint, Result> failed = await client.ReadResultsAsync(1);
        Assert.Contains((StatusCode)failed[2].Status.Code, (StatusCode[])[StatusCode.Unavailable, StatusCode.DeadlineExceeded]);
        Assert.True(client.Clears > 0);
        proxy.IsCut = false;
        // The lost invalidations are not sent again on the old connections, so the gateway opens new connections.
        Dictionary<uint, Result> renewed = await client.ReadResultsAsync(1);
        Assert.Equal(Result.OutcomeOneofCase.NearRenew, renewed[1].OutcomeCase);
        await Eventually.UntilAsync(async () => (await client.GetAsync("k")).Get?.Value.ToStringUtf8() == "new", "it reads on");
    }

    [Fact]
    public async Task Excess_pending_renewals_fail_oldest_first()
    {
        using RedisCluster cluster = new();
        await using RunningServer gateway = await RunningGateway.StartAsync(cluster.Url);
        await using NearClient client = await gateway.OpenNearAsync();
        RedisServer paused = cluster.Servers.First(server => server != cluster.Of("{larder}"));
        string key = Enumerable.Range(0, 1_000).Select(static number => $"{{{number}}}").First(key => cluster.Of(key) != paused);
        paused.Pause();
        await client.SendAsync(Enumerable.Range(0, 10).Select(static id => Renew((uint)id)));
        Dictionary<uint, Result> given = await client.ReadResultsAsync(6);
        Assert.Equal([0u, 1u, 2u, 3u, 4u, 5u], given.Keys.Order());
        Assert.All(given.Values, static result => Assert.Equal((uint)StatusCode.Unavailable, result.Status.Code));
        for (uint call = 0; call < 100; call++)
        {
            Assert.Equal(CacheResult.Miss, (await client.GetAsync(key)).Get.Result);
        }

        paused.Resume();
        Dictionary<uint, Result> renewed = await client.ReadResultsAsync(4);
        Assert.All(renewed.Values, static result => Assert.Equal(Result.OutcomeOneofCase.NearRenew, result.OutcomeCase));
    }

    [Fact]
    public async Task Failover_clears_near_copies_and_tracks_the_new_master()
    {
        using RedisCluster cluster = new(replicas: 1, nodeTimeoutMs: 2000);
        await using RunningServer first = await RunningGateway.StartAsync(cluster.Url);
        await using NearClient client = await first.OpenNearAsync();
        RedisServer killed = cluster.Servers[0];
        string key = Enumerable.Range(0, 1_000).Select(static number => $"{{{number}}}").First(key => cluster.Of(key) == killed);
        await first.SetAsync(key, "old");
        Eventually.Until(() => cluster.Servers[3].Ask("dbsize") == "1", "the replica has it");
        Assert.NotEqual(0u, (await client.GetAsync(key)).Ticket);
        killed.Kill();
        await client.SettleAsync();
        Assert.StartsWith("master", cluster.Servers[3].Ask("role"), StringComparison.Ordinal);
        Assert.True(client.Clears > 0);
        Result again = await client.GetAsync(key);
        Assert.Equal("old", again.Get.Value.ToStringUtf8());
        Assert.NotEqual(0u, again.Ticket);
        cluster.Servers[3].Ask("set", cluster.Servers[3].StoredName(key), "new", "px", "60000");
        await client.UntilInvalidatedAsync(each => each.Told.Contains(again.Ticket - 1));
    }

    [Fact]
    public async Task Lease_is_not_renewed_while_the_directory_is_unavailable()
    {
        using RedisCluster cluster = new();
        await using RunningServer gateway = await RunningGateway.StartAsync(cluster.Url);
        await using NearClient client = await gateway.OpenNearAsync();
        RedisServer node = cluster.Of("{larder}");
        node.Ask("rename", "L:{larder}:caches", "L:{larder}:away");
        // The key no longer contains a directory, so the gateway's heartbeat fails although all nodes respond.
        node.Ask("set", "L:{larder}:caches", "none");
        await client.SendAsync(Enumerable.Range(0, 5).Select(static id => Renew((uint)id)));
        Dictionary<uint, Result> given = await client.ReadResultsAsync(1);
        Assert.Equal((uint)StatusCode.Unavailable, given[0].Status.Code);
        Assert.Equal(CacheResult.Miss, (await client.GetAsync("k")).Get.Result);
        node.Ask("rename", "L:{larder}:away", "L:{larder}:caches");
        Assert.Equal([1u, 2u, 3u, 4u], (await client.ReadResultsAsync(4)).Keys.Order());
    }

    private static Operation Renew(uint id) => new() { Id = id, NearRenew = new NearRenew() };

    private static void Move(RedisCluster cluster, string key, RedisServer from, RedisServer to)
    {
        string slot = cluster.SlotOf(key).ToString(CultureInfo.InvariantCulture);
        to.Ask("cluster", "setslot", slot, "importing", from.Ask("cluster", "myid"));
        from.Ask("cluster", "setslot", slot, "migrating", to.Ask("cluster", "myid"));
        string[] keys = from.Ask("cluster", "getkeysinslot", slot, "100").Split('\n', StringSplitOptions.RemoveEmptyEntries);
        foreach (string each in keys)
        {
            from.Ask("migrate", "127.0.0.1", to.Port.ToString(CultureInfo.InvariantCulture), each, "0", "60000");
        }

        string id = to.Ask("cluster", "myid");
        to.Ask("cluster", "setslot", slot, "node", id);
        from.Ask("cluster", "setslot", slot, "node", id);
    }
}
