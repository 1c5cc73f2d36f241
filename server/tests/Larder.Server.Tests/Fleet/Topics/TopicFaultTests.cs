using System.Globalization;
using Larder.Harness.Redis;
using Larder.Harness.Servers;
using Larder.Protocol;
using Larder.Redis;
using Larder.Redis.Tests;
using Larder.Server.Fleet;
using Larder.Server.Tests.Faults;
using Larder.Server.Tests.Topics;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Topics;

/// <summary>Tests of topics while nodes and gateways end, stall, or hand over slots.</summary>
public sealed class TopicFaultTests
{
    [Fact]
    public async Task S5k_failover_that_loses_messages_causes_new_page_and_gap()
    {
        using RedisCluster cluster = new(replicas: 1, nodeTimeoutMs: 1000);
        RedisServer master = cluster.Servers[0];
        await using RunningServer first = await RunningGateway.StartAsync(cluster.Url);
        await using RunningServer second = await RunningGateway.StartAsync(cluster.Url);
        // The slot of this topic belongs to the master that has a replica.
        string topic = Enumerable.Range(0, 100).Select(static number => $"t{number}").First(static name => SlotOf(name) < KeySlot.Count / 3);
        TopicStream[] streams =
            [await first.Channel.SubscribedAsync(topic, 1), await first.Channel.SubscribedAsync(topic, 1), await second.Channel.SubscribedAsync(topic, 1)];
        await PublishAsync(first, topic, 1, 5);
        Eventually.Until(() => ReplicationLag.Read(master.Ask("info", "replication")) == 0, "the replica has them");
        // The replica receives no messages after this point.
        master.Ask("acl", "setuser", "default", "-psync", "-sync");
        master.Ask("client", "kill", "type", "replica");
        Eventually.Until(() => master.Ask("info", "replication").Contains("connected_slaves:0", StringComparison.Ordinal), "it is cut off");
        await PublishAsync(second, topic, 6, 9);
        ulong page = 0;
        foreach (TopicStream stream in streams)
        {
            for (ulong number = 1; number <= 9; number++)
            {
                TopicItem item = await stream.NextItemAsync();
                Assert.Equal((number, $"{number}"), (item.TopicSequenceNumber, item.Value.Text));
                page = item.SequencePage;
            }
        }

        master.Kill();
        await Eventually.UntilAsync(() => TryPublishAsync(first, topic, "after"), "the replica has taken over");
        foreach (TopicStream stream in streams)
        {
            Discontinuity gap = await stream.NextGapAsync();
            Assert.Equal((9UL, 0UL), (gap.LastTopicSequence, gap.NewTopicSequence));
            Assert.True(gap.NewSequencePage > page);
            TopicItem item = await stream.NextItemAsync();
            Assert.Equal((gap.NewSequencePage, 1UL, "after"), (item.SequencePage, item.TopicSequenceNumber, item.Value.Text));
            await stream.DisposeAsync();
        }

        // This subscriber resumes at a position of the lost page.
        await using TopicStream resumed = await second.Channel.SubscribedAsync(topic, 10, page);
        Assert.Equal(9UL, (await resumed.NextGapAsync()).LastTopicSequence);
        Assert.Equal("after", (await resumed.NextItemAsync()).Value.Text);
    }

    [Fact]
    public async Task S5c_subscriber_receives_every_message_or_a_gap_during_slot_migration()
    {
        using RedisCluster cluster = new();
        await using RunningServer first = await RunningGateway.StartAsync(cluster.Url);
        await using RunningServer second = await RunningGateway.StartAsync(cluster.Url);
        await using TopicRun run = new([first.Channel, second.Channel], "t", publishers: 2, subscribers: 4);
        for (int round = 0; round < 3; round++)
        {
            run.Go(50);
            Move(cluster, SlotOf("t"), round);
            run.Go(50);
        }

        await run.EndAsync();
        Assert.InRange(run.Gaps, 1, 3);
    }

    [Fact]
    public async Task S5c_topic_is_readable_while_its_slot_is_half_migrated()
    {
        using RedisCluster cluster = new();
        await using RunningServer gateway = await RunningGateway.StartAsync(cluster.Url);
        await using TopicStream stream = await gateway.Channel.SubscribedAsync("t", 1);
        await PublishAsync(gateway, "t", 1, 3);
        (RedisServer from, RedisServer to) = Pair(cluster, 0);
        string slot = SlotOf("t").ToString(CultureInfo.InvariantCulture);
        to.Ask("cluster", "setslot", slot, "importing", from.Ask("cluster", "myid"));
        from.Ask("cluster", "setslot", slot, "migrating", to.Ask("cluster", "myid"));
        Hand(from, to, slot);
        await PublishAsync(gateway, "t", 4, 6);
        for (int number = 1; number <= 3; number++)
        {
            Assert.Equal($"{number}", (await stream.NextItemAsync()).Value.Text);
        }

        Assert.Equal(0UL, (await stream.NextGapAsync()).NewTopicSequence);
        for (int number = 4; number <= 6; number++)
        {
            Assert.Equal($"{number}", (await stream.NextItemAsync()).Value.Text);
        }
    }

    [Fact]
    public async Task S5h_subscribers_of_a_killed_gateway_resume_at_another_gateway()
    {
        using RedisServer redis = new();
        ServerProcess[] gateways = [await StartGatewayAsync(redis), await StartGatewayAsync(redis)];
        RpcChannel[] channels = [.. gateways.Select(static gateway => StallTolerantChannel.To(gateway.Endpoint))];
        await using (TopicRun run = new(channels, "t", publishers: 2, subscribers: 6))
        {
            run.Go(100);
            // Ends the gateway process with SIGKILL.
            gateways[0].Dispose();
            run.Go(50);
            gateways[0] = await ServerProcess.StartAtAsync(gateways[0].Endpoint.Port, "--store", redis.Url);
            run.Go(100);
            await run.EndAsync();
            Assert.Equal(0, run.Gaps);
        }

        await EndAsync(channels, gateways);
    }

    private static async Task EndAsync(RpcChannel[] channels, ServerProcess[] gateways)
    {
        foreach (RpcChannel channel in channels)
        {
            await channel.DisposeAsync();
        }

        Array.ForEach(gateways, static gateway => gateway.Dispose());
    }

    private static Task<ServerProcess> StartGatewayAsync(RedisServer redis) => ServerProcess.StartAsync("--store", redis.Url);

    private static int SlotOf(string topic) => RemoteTopicKeys.Slot(RemoteTopicKeys.Of(new RemoteCache(RunningServer.Cache, 1, 1), topic).Index);

    private static (RedisServer From, RedisServer To) Pair(RedisCluster cluster, int round)
    {
        RedisServer first = cluster.Servers[Math.Min(SlotOf("t") / (KeySlot.Count / 3), 2)];
        RedisServer second = cluster.Servers.First(server => server != first);
        return round % 2 == 0 ? (first, second) : (second, first);
    }

    // Moves a slot in the same way as redis-cli --cluster reshard.
    private static void Move(RedisCluster cluster, int number, int round)
    {
        (RedisServer from, RedisServer to) = Pair(cluster, round);
        string slot = number.ToString(CultureInfo.InvariantCulture);
        to.Ask("cluster", "setslot", slot, "importing", from.Ask("cluster", "myid"));
        from.Ask("cluster", "setslot", slot, "migrating", to.Ask("cluster", "myid"));
        Hand(from, to, slot);
        string id = to.Ask("cluster", "myid");
        to.Ask("cluster", "setslot", slot, "node", id);
        from.Ask("cluster", "setslot", slot, "node", id);
    }

    private static void Hand(RedisServer from, RedisServer to, string slot)
    {
        string port = to.Port.ToString(CultureInfo.InvariantCulture);
        string[] keys = from.Ask("cluster", "getkeysinslot", slot, "100").Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal("OK", from.Ask(["migrate", "127.0.0.1", port, "", "0", "60000", "keys", .. keys]));
    }

    private static async Task PublishAsync(RunningServer gateway, string topic, int first, int last)
    {
        for (int number = first; number <= last; number++)
        {
            await gateway.Channel.PublishAsync(topic, $"{number}");
        }
    }

    private static async Task<bool> TryPublishAsync(RunningServer gateway, string topic, string text)
    {
        try
        {
            await gateway.Channel.PublishAsync(topic, text);
            return true;
        }
        catch (RpcException error) when (error.Status.Code == StatusCode.Unavailable)
        {
            return false;
        }
    }
}
