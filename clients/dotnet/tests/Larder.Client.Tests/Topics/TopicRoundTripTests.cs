using Google.Protobuf;
using Larder.Client.Operations;
using Larder.Client.Tests.Support;
using Larder.Harness.Proxies;
using Larder.Wire.Protobuf;

namespace Larder.Client.Tests.Topics;

/// <summary>Tests publishing and subscribing with the real server.</summary>
public sealed class TopicRoundTripTests
{
    [Fact]
    public async Task Published_items_arrive_once_in_order_and_unchanged()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Cache cache = client.Cache("cache");
        await using IAsyncEnumerator<TopicEvent> events = cache.Subscribe("t", new() { Heartbeats = true }).GetAsyncEnumerator();
        Assert.Equal("heartbeat", await events.NextAsync());
        Expect.Success(await cache.PublishAsync("t", "grüße"));
        Expect.Success(await cache.PublishAsync("t", new byte[] { 0xFF, 0 }));
        Expect.Success(await cache.PublishAsync("t", ""));
        Expect.Success(await cache.PublishAsync("other", "not this"));
        List<TopicEvent.Item> items = [];
        while (items.Count < 3)
        {
            Assert.True(await Eventually.Within(events.MoveNextAsync()));
            if (events.Current is TopicEvent.Item item)
            {
                items.Add(item);
            }
        }

        Assert.Equal([(1UL, true), (2, false), (3, true)], items.Select(static item => (item.Number, item.IsText)));
        Assert.Equal("grüße", items[0].Value.Text);
        Assert.Equal([0xFF, 0], items[1].Value.ToArray());
        Assert.Equal(0, items[2].Value.Length);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5_000)]
    public async Task Five_thousand_subscriptions_receive_their_own_items(int topics)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest() with { RequestTimeout = Eventually.Limit });
        string[] expected = [.. Enumerable.Range(0, 5_000).Select(each => $"t{each % topics}")];
        SubscribeOptions live = new() { From = TopicStart.Now, Heartbeats = true };
        IAsyncEnumerator<TopicEvent>[] many = [.. expected.Select(topic => client.Cache("cache").Subscribe(topic, live).GetAsyncEnumerator())];
        Assert.All(await Task.WhenAll(many.Select(static events => events.NextAsync())), static told => Assert.Equal("heartbeat", told));
        foreach (string topic in expected.Distinct())
        {
            Expect.Success(await client.Cache("cache").PublishAsync(topic, topic));
        }

        Assert.Equal(expected, await Task.WhenAll(many.Select(ItemAsync)));
        await Task.WhenAll(many.Select(static events => events.DisposeAsync().AsTask()));
    }

    [Fact]
    public async Task Server_restart_causes_one_gap_and_subscription_continues()
    {
        RunningServer server = await RunningServer.StartAsync();
        int port = server.Port;
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        await client.Cache("cache").PublishAsync("t", "before");
        Assert.EndsWith("-1 before", await events.NextAsync(), StringComparison.Ordinal);
        Task<string> next = events.NextAsync();
        await server.DisposeAsync();
        await using RunningServer successor = await RunningServer.SucceedAsync(port);
        Assert.StartsWith("gap 1 ", await next, StringComparison.Ordinal);
        Assert.Equal(1UL, ((TopicEvent.Discontinuity)events.Current).Next);
        Expect.Success(await client.Cache("cache").PublishAsync("t", "after"));
        Assert.EndsWith("-1 after", await events.NextAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Reset_connections_lose_no_items()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        await using CacheClient publisher = server.Connect(Configurations.Laptop.Latest());
        Configuration quick = Configurations.Laptop.Latest() with { InitialBackOff = TimeSpan.FromMilliseconds(1), MaxBackOff = TimeSpan.FromMilliseconds(20) };
        await using CacheClient client = server.Connect(quick, proxy.Port);
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        Task publishing = Task.Run(async () =>
        {
            for (int number = 1; number <= 400; number++)
            {
                Expect.Success(await publisher.Cache("cache").PublishAsync("t", $"{number}"));
                if (number % 50 == 0)
                {
                    proxy.ResetAll();
                }
            }
        });
        // The subscription starts with the item that is the newest one at that time. From this item on, no item may be missing.
        Assert.True(await Eventually.Within(events.MoveNextAsync()));
        ulong last = Assert.IsType<TopicEvent.Item>(events.Current).Number;
        while (last < 400)
        {
            Assert.True(await Eventually.Within(events.MoveNextAsync()));
            TopicEvent.Item item = Assert.IsType<TopicEvent.Item>(events.Current);
            Assert.Equal((last + 1, $"{last + 1}"), (item.Number, item.Value.Text));
            last = item.Number;
        }

        await publishing;
    }

    [Fact]
    public async Task Deleted_cache_ends_its_subscriptions_with_NotFound()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        await client.CreateCacheAsync("gone");
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("gone").Subscribe("t", new() { Heartbeats = true }).GetAsyncEnumerator();
        Assert.Equal("heartbeat", await events.NextAsync());
        await client.DeleteCacheAsync("gone");
        string told = await events.NextAsync();
        while (told == "heartbeat")
        {
            told = await events.NextAsync();
        }

        Assert.Equal("error NotFound", told);
        Assert.Equal("end", await events.NextAsync());
        Assert.Equal(CacheErrorCode.NotFound, Expect.Error(await client.Cache("gone").PublishAsync("t", "v")).Code);
    }

    [Theory]
    [InlineData(1 << 20, null)]
    [InlineData((1 << 20) + 1, CacheErrorCode.LimitExceeded)]
    [InlineData(10 << 20, CacheErrorCode.LimitExceeded)]
    public async Task Publish_accepts_values_up_to_1_MiB(int size, CacheErrorCode? code)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        CacheResult answer = await client.Cache("cache").PublishAsync("t", new byte[size]);
        Assert.Equal(code, answer.Error?.Code);
        if (code is null)
        {
            await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
            Assert.True(await Eventually.Within(events.MoveNextAsync()));
            Assert.Equal(size, Assert.IsType<TopicEvent.Item>(events.Current).Value.Length);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Publish_request_matches_the_protobuf_encoding(bool isText)
    {
        CacheBytes value = isText ? "größe" : new byte[] { 0xFF, 0 };
        PublishOperation operation = new("cache", "topic", value);
        byte[] bytes = new byte[operation.Measure()];
        ProtoWriter writer = new(bytes);
        operation.Write(ref writer);
        Assert.Equal(bytes.Length, writer.Written);
        Protocol.PublishRequest read = Protocol.PublishRequest.Parser.ParseFrom(bytes);
        Assert.Equal(("cache", "topic"), (read.CacheName, read.Topic));
        Assert.Equal(isText ? Protocol.TopicValue.KindOneofCase.Text : Protocol.TopicValue.KindOneofCase.Binary, read.Value.KindCase);
        Assert.Equal(value.ToArray(), isText ? ByteString.CopyFromUtf8(read.Value.Text).ToByteArray() : read.Value.Binary.ToByteArray());
        Expect.Success(PublishOperation.Decode([]));
        Assert.Throws<FormatException>(() => PublishOperation.Decode([0x0A, 5, 1]));
    }

    private static async Task<string> ItemAsync(IAsyncEnumerator<TopicEvent> events)
    {
        while (await Eventually.Within(events.MoveNextAsync()))
        {
            if (events.Current is TopicEvent.Item item)
            {
                return item.Value.Text;
            }
        }

        return "the end";
    }
}
