using Larder.Client.Tests.Support;
using ZiggyCreatures.Caching.Fusion;
using ZiggyCreatures.Caching.Fusion.Backplane;

namespace Larder.Client.Tests.Fusion;

/// <summary>Tests FusionCache's backplane on a server.</summary>
public sealed class BackplaneTests
{
    public static TheoryData<string> Changes => ["set", "remove", "expire", "tag", "clear", "clear without fail-safe"];

    [Theory]
    [MemberData(nameof(Changes))]
    public async Task Change_reaches_the_memory_of_other_processes(string change)
    {
        await using FusionNodes nodes = await FusionNodes.StartAsync(3);
        await nodes[0].SetAsync("k", "old", tags: ["t"]);
        foreach (int other in (int[])[1, 2])
        {
            Assert.Equal("old", await nodes.FindAsync(other, "k"));
        }

        await ChangeAsync(nodes[0], change);
        foreach (int node in (int[])[0, 1, 2])
        {
            await nodes.FindsAsync(node, "k", change == "set" ? "new" : null);
        }
    }

    [Theory]
    [MemberData(nameof(Changes))]
    public async Task Change_during_a_restart_of_the_server_leaves_no_old_value(string change)
    {
        await using FusionNodes nodes = await FusionNodes.StartAsync();
        await nodes[0].SetAsync("k", "old", tags: ["t"]);
        Assert.Equal("old", await nodes.FindAsync(1, "k"));
        await nodes.StopServerAsync();
        Task changing = ChangeAsync(nodes[0], change);
        await nodes.RestartServerAsync();
        await changing;
        await Eventually.Holds(() => nodes.FindAsync(1, "k").GetAwaiter().GetResult() != "old", "the old value is gone");
        await Eventually.Holds(
            () => nodes.Log.Recorded.Count(static line => line.Event == "BackplaneGap") == 2, "earlier entries have expired in both processes");
        await nodes[0].SetAsync("k", "newest");
        await nodes.FindsAsync(1, "k", "newest");
    }

    [Fact]
    public async Task Subscriber_limit_is_logged_and_FusionCache_works()
    {
        await using FusionNodes nodes = await FusionNodes.StartAsync(1, await RunningServer.StartAsync(maxTopicSubscribers: 1));
        int second = nodes.Add();
        LogLine line = nodes.Log.Recorded.First(static line => line.Event == "BackplaneNotSubscribed");
        Assert.Equal(CacheErrorCode.LimitExceeded, line.Named["Code"]);
        await nodes[0].SetAsync("k", "old");
        Assert.Equal("old", await nodes.FindAsync(second, "k"));
        await nodes[second].SetAsync("k", "new");
        await nodes.FindsAsync(0, "k", "new");
        await nodes[0].SetAsync("k", "newest");

        // When the second process can subscribe, it does not keep the value whose change it has missed.
        await nodes.StopAsync(0);
        await nodes.FindsAsync(second, "k", null);
    }

    [Fact]
    public async Task Topic_limit_is_logged_and_FusionCache_works()
    {
        RunningServer server = await RunningServer.StartAsync(maxTopics: 1);
        await using FusionNodes nodes = await FusionNodes.StartAsync(0, server);
        await using CacheClient other = server.Connect(Configurations.Laptop.Latest());
        await using IAsyncEnumerator<TopicEvent> events = other.Cache("cache").Subscribe("other", new() { Heartbeats = true }).GetAsyncEnumerator();
        Assert.True(await events.MoveNextAsync());
        int node = nodes.Add();
        Assert.Contains(nodes.Log.Recorded, static line => line.Event == "BackplaneNotSubscribed");
        await nodes[node].SetAsync("k", "v");
        Assert.Equal("v", await nodes.FindAsync(node, "k"));
    }

    [Fact]
    public async Task Different_prefixes_have_different_topics()
    {
        await using FusionNodes nodes = await FusionNodes.StartAsync(1, configure: static options => options.KeyPrefix = "a:");
        int other = nodes.Add(static options => options.KeyPrefix = "b:");
        await nodes[other].SetAsync("k", "b");
        await nodes[0].SetAsync("k", "a");
        Assert.Equal("b", await nodes.FindAsync(other, "k"));
        Assert.Equal("a", await nodes.FindAsync(0, "k"));
    }

    [Fact]
    public async Task Synchronous_members_publish_and_subscribe()
    {
        await using FusionNodes nodes = await FusionNodes.StartAsync();
        nodes[0].Set("k", "old");
        Assert.Equal("old", nodes[1].TryGet<string>("k").Value);
        nodes[0].Set("k", "new");
        await nodes.FindsAsync(1, "k", "new");
        nodes[0].RemoveBackplane();
        Assert.False(nodes[0].HasBackplane);
    }

    [Fact]
    public async Task Invalid_arguments_are_rejected()
    {
        await using FusionNodes nodes = await FusionNodes.StartAsync(1);
        CacheClient client = nodes.ClientOf(0);
        Assert.Throws<ArgumentNullException>(() => new LarderBackplane(null!, nodes[0]));
        Assert.Throws<ArgumentNullException>(() => new LarderBackplane(client, null!));
        Assert.Throws<ArgumentException>(() => new LarderBackplane(client, nodes[0], new() { KeyPrefix = "\ud800" }));
        LarderBackplane backplane = new(client, nodes[0]);
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await backplane.SubscribeAsync(null!));
        await Assert.ThrowsAsync<ArgumentException>(async () => await backplane.SubscribeAsync(Handlers.Of("")));
        await Assert.ThrowsAsync<ArgumentException>(async () => await backplane.SubscribeAsync(new("n", "i", "c", null, null, null, null)));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await backplane.PublishAsync(null!, new()));
        backplane.Unsubscribe();
    }

    [Fact]
    public async Task Closed_client_throws_in_publications_and_subscriptions()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        CacheClient client = server.Connect(Configurations.Laptop.Latest());
        using FusionCache cache = new(new FusionCacheOptions());
        LarderBackplane backplane = new(client, cache);
        BackplaneSubscriptionOptions options = Handlers.Of("c");
        await backplane.SubscribeAsync(options);
        await client.DisposeAsync();
        await Assert.ThrowsAnyAsync<Exception>(async () => await backplane.PublishAsync(BackplaneMessage.CreateForEntryRemove("s", "k", 1), new()));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await backplane.SubscribeAsync(options));
    }

    private static async Task ChangeAsync(IFusionCache cache, string change)
    {
        switch (change)
        {
            case "set":
                await cache.SetAsync("k", "new");
                break;
            case "remove":
                await cache.RemoveAsync("k");
                break;
            case "expire":
                await cache.ExpireAsync("k");
                break;
            case "tag":
                await cache.RemoveByTagAsync("t");
                break;
            default:
                await cache.ClearAsync(allowFailSafe: change == "clear");
                break;
        }
    }
}
