using System.Globalization;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Calls.Collections;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Collections;

/// <summary>Tests of lists while nodes end and slots move. Each element contains its number, so that lost and duplicated elements are detected.</summary>
public sealed class GatewayFaultTests
{
    private const string Back = "/cache_client.Scs/ListPushBack";

    [Fact]
    public async Task S5a_push_during_node_failure_is_never_applied_twice()
    {
        using RedisCluster cluster = new(replicas: 1, nodeTimeoutMs: 500);
        await using RunningServer gateway = await RunningGateway.StartAsync(cluster.Url);
        // The slot of this name belongs to the master that has a replica.
        string name = Enumerable.Range(0, 200).Select(number => $"list{{{number}}}").First(key => cluster.Of(key) == cluster.Servers[0]);
        HashSet<int> answered = [];
        HashSet<int> failed = [];
        int next = 0;
        async Task<bool> PushOneAsync()
        {
            int number = Interlocked.Increment(ref next);
            bool isDone = await PushAsync(gateway, name, number);
            lock (answered)
            {
                (isDone ? answered : failed).Add(number);
            }

            return isDone;
        }

        async Task PushAllAsync(int count)
        {
            for (int pushed = 0; pushed < count; pushed++)
            {
                Assert.True(await PushOneAsync());
            }
        }

        await PushAllAsync(200);
        long offset = Offset(cluster.Servers[0], "master_repl_offset:");
        Eventually.Until(() => Offset(cluster.Servers[3], "slave_repl_offset:") >= offset, "the replica has them");
        int ended = 0;
        Task[] pushing =
        [
            .. Enumerable.Range(0, 8).Select(_ => Task.Run(async () =>
            {
                while (Volatile.Read(ref ended) == 0)
                {
                    await PushOneAsync();
                }
            })),
        ];
        Eventually.Until(() => Volatile.Read(ref next) > 250, "pushes are under way");
        cluster.Servers[0].Kill();
        await Eventually.UntilAsync(PushOneAsync, "the replica has taken over");
        Volatile.Write(ref ended, 1);
        await Task.WhenAll(pushing);
        await PushAllAsync(50);
        ListFetchRequest fetch = new() { Name = CollectionServer.Bytes(name) };
        int[] left = [.. (await gateway.CallAsync<ListFetchResponse>("/cache_client.Scs/ListFetch", fetch)).Found.Elements
            .Select(each => int.Parse(each.ToStringUtf8(), CultureInfo.InvariantCulture))];
        Assert.Equal(left.Distinct(), left);
        Assert.Subset(new HashSet<int>(answered.Concat(failed)), new HashSet<int>(left));
        // The first 200 elements were on the replica before its master ended. Elements that were pushed later and before the failover may be lost (FLEET-11).
        Assert.Subset(new HashSet<int>(left), new HashSet<int>(Enumerable.Range(1, 200)));
    }

    [Fact]
    public async Task S5c_list_keeps_every_acknowledged_push_during_slot_migration()
    {
        using RedisCluster cluster = new();
        await using RunningServer gateway = await RunningGateway.StartAsync(cluster.Url);
        const string Name = "{list}";
        RedisServer from = cluster.Of(Name);
        RedisServer to = cluster.Servers.First(server => server != from);
        int next = 0;
        bool hasMoved = false;
        Task[] pushing =
        [
            .. Enumerable.Range(0, 8).Select(_ => Task.Run(async () =>
            {
                int after = 0;
                while (after < 30)
                {
                    after += Volatile.Read(ref hasMoved) ? 1 : 0;
                    Assert.True(await PushAsync(gateway, Name, Interlocked.Increment(ref next)));
                }
            })),
        ];
        Eventually.Until(() => Volatile.Read(ref next) > 200, "pushes are under way");
        for (int round = 0; round < 3; round++)
        {
            Move(from, to, cluster.SlotOf("list"), cluster);
            (from, to) = (to, from);
        }

        Volatile.Write(ref hasMoved, true);
        await Task.WhenAll(pushing);
        ListFetchRequest fetch = new() { Name = CollectionServer.Bytes(Name) };
        ListFetchResponse list = await gateway.CallAsync<ListFetchResponse>("/cache_client.Scs/ListFetch", fetch);
        Assert.Equal(
            Enumerable.Range(1, next),
            list.Found.Elements.Select(each => int.Parse(each.ToStringUtf8(), CultureInfo.InvariantCulture)).Order());
    }

    // Moves a slot in the same way as redis-cli --cluster reshard.
    private static void Move(RedisServer from, RedisServer to, int slot, RedisCluster cluster)
    {
        string number = slot.ToString(CultureInfo.InvariantCulture);
        string target = to.Ask("cluster", "myid");
        to.Ask("cluster", "setslot", number, "importing", from.Ask("cluster", "myid"));
        from.Ask("cluster", "setslot", number, "migrating", target);
        string[] keys = from.Ask("cluster", "getkeysinslot", number, "100").Split('\n', StringSplitOptions.RemoveEmptyEntries);
        foreach (string key in keys)
        {
            from.Ask("migrate", "127.0.0.1", to.Port.ToString(CultureInfo.InvariantCulture), key.Trim(), "0", "60000");
        }

        foreach (RedisServer server in cluster.Servers.OrderByDescending(server => server == to))
        {
            server.Ask("cluster", "setslot", number, "node", target);
        }
    }

    private static long Offset(RedisServer server, string field)
    {
        string line = server.Ask("info", "replication").Split('\n').First(line => line.StartsWith(field, StringComparison.Ordinal));
        return long.Parse(line.AsSpan(field.Length).Trim(), CultureInfo.InvariantCulture);
    }

    private static async Task<bool> PushAsync(RunningServer gateway, string name, int number)
    {
        ListPushBackRequest push = new()
        {
            Name = CollectionServer.Bytes(name),
            Value = CollectionServer.Bytes(number.ToString(CultureInfo.InvariantCulture)),
            TtlMs = 3_600_000,
        };
        try
        {
            await gateway.CallAsync<ListPushBackResponse>(Back, push);
            return true;
        }
        catch (RpcException error) when (error.Status.Code is StatusCode.Unavailable or StatusCode.DeadlineExceeded)
        {
            return false;
        }
    }
}
