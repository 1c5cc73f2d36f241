using System.Diagnostics;
using System.Diagnostics.Metrics;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Topics;

public sealed class TopicSubscriptionTests
{
    [Fact]
    public async Task Items_arrive_in_published_order()
    {
        await using TopicScript server = await TopicScript.StartAsync(static async call =>
        {
            await call.BeginAsync("7-1");
            await call.ItemAsync(1, text: "größe");
            await call.WriteAsync(new Protocol.SubscriptionItem
            {
                Item = new()
                {
                    TopicSequenceNumber = 2,
                    SequencePage = 7,
                    PublisherId = "till",
                    Value = new() { Binary = Google.Protobuf.ByteString.CopyFrom(0xFF, 0) },
                },
            });
            await call.WriteAsync(new Protocol.SubscriptionItem { Item = new() { TopicSequenceNumber = 3, SequencePage = 7 } });
            await call.HoldAsync();
        });
        await using CacheClient client = server.Connect();
        List<TopicEvent.Item> items = [];
        await foreach (TopicEvent told in client.Cache("cache").Subscribe("orders"))
        {
            items.Add(Assert.IsType<TopicEvent.Item>(told));
            if (items.Count == 3)
            {
                break;
            }
        }

        Assert.Equal([1UL, 2, 3], items.Select(static item => item.Number));
        Assert.All(items, static item => Assert.Equal(7UL, item.Page));
        Assert.Equal(("größe", true, ""), (items[0].Value.Text, items[0].IsText, items[0].PublisherId));
        Assert.Equal([0xFF, 0], items[1].Value.ToArray());
        Assert.Equal((false, "till"), (items[1].IsText, items[1].PublisherId));
        Assert.Equal((0, false), (items[2].Value.Length, items[2].IsText));
        Assert.Equal("Item 2 (2 bytes)", items[1].ToString());
        TopicCall call = Assert.Single(server.Calls);
        Assert.Equal(("cache", "orders", 0UL, 0UL), Asked(call));
        Assert.False(call.Headers.ContainsKey("topic-from"));
        Assert.False(call.Headers.ContainsKey("cache"));
        Assert.StartsWith("larder-dotnet:", call.Headers["agent"], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Subscribe_request_contains_the_given_options()
    {
        await using TopicScript server = await TopicScript.StartAsync(static async call =>
        {
            await call.BeginAsync();
            await call.HoldAsync();
        });
        await using CacheClient client = server.Connect();
        foreach (SubscribeOptions options in (SubscribeOptions[])
            [
                new() { From = TopicStart.Now, Heartbeats = true },
                new() { ResumeAt = ulong.MaxValue, Page = ulong.MaxValue, Heartbeats = true },
            ])
        {
            await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t", options).GetAsyncEnumerator();
            Assert.Equal("heartbeat", await events.NextAsync());
        }

        Assert.Equal("now", server.Calls[0].Headers["topic-from"]);
        Assert.Equal(("cache", "t", 0UL, 0UL), Asked(server.Calls[0]));
        Assert.False(server.Calls[1].Headers.ContainsKey("topic-from"));
        Assert.Equal(("cache", "t", ulong.MaxValue, ulong.MaxValue), Asked(server.Calls[1]));
    }

    [Fact]
    public async Task Subscription_starts_when_read_and_each_enumeration_is_separate()
    {
        await using TopicScript server = await TopicScript.StartAsync(static async call =>
        {
            await call.BeginAsync("7-1");
            await call.ItemAsync(1);
            await call.HoldAsync();
        });
        await using CacheClient client = server.Connect();
        TopicSubscription subscription = client.Cache("cache").Subscribe("t");
        await using IAsyncEnumerator<TopicEvent> one = subscription.GetAsyncEnumerator();
        await using IAsyncEnumerator<TopicEvent> other = subscription.GetAsyncEnumerator();
        Assert.Empty(server.Calls);
        Assert.Equal(0, client.Topics.Subscriptions);
        Assert.Equal(["7-1 1", "7-1 1"], [await one.NextAsync(), await other.NextAsync()]);
        Assert.Equal((2, 1, 2L), (client.Topics.Subscriptions, client.Topics.Connections, client.Topics.Items));
    }

    [Fact]
    public async Task Breaking_out_of_the_read_loop_frees_the_stream()
    {
        await using TopicScript server = await TopicScript.StartAsync(static async call =>
        {
            await call.BeginAsync("7-1");
            await call.ItemAsync(1);
            await call.HoldAsync();
        });
        await using CacheClient client = server.Connect();
        await foreach (TopicEvent told in client.Cache("cache").Subscribe("t"))
        {
            Assert.Equal(1, client.Topics.Subscriptions);
            Assert.IsType<TopicEvent.Item>(told);
            break;
        }

        Assert.Equal((0, 0, 1L), (client.Topics.Subscriptions, client.Topics.Connections, client.Topics.Items));
        await Eventually.Holds(() => server.Open == 0, "the server's stream has ended");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Cancelled_or_disposed_subscription_ends_without_throwing(bool isClosed)
    {
        await using TopicScript server = await TopicScript.StartAsync(static async call =>
        {
            await call.BeginAsync("7-1");
            await call.ItemAsync(1);
            await call.HoldAsync();
        });
        CacheClient client = server.Connect();
        using CancellationTokenSource cancellation = new();
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator(cancellation.Token);
        Assert.Equal("7-1 1", await events.NextAsync());
        Task<string> waiting = events.NextAsync();
        Assert.False(waiting.IsCompleted);
        await (isClosed ? client.DisposeAsync().AsTask() : cancellation.CancelAsync());
        Assert.Equal("end", await waiting);
        Assert.Equal("end", await events.NextAsync());
        Assert.Equal((0, 0), (client.Topics.Subscriptions, client.Topics.Connections));
        await client.DisposeAsync();
        Assert.Throws<ObjectDisposedException>(() => client.Cache("cache").Subscribe("t"));
    }

    [Fact]
    public async Task Enumeration_started_after_cancellation_or_disposal_ends_immediately()
    {
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        CacheClient client = server.Connect();
        TopicSubscription subscription = client.Cache("cache").Subscribe("t");
        await using IAsyncEnumerator<TopicEvent> cancelled = subscription.GetAsyncEnumerator(new CancellationToken(canceled: true));
        Assert.Equal("end", await cancelled.NextAsync());
        await client.DisposeAsync();
        await using IAsyncEnumerator<TopicEvent> closed = subscription.GetAsyncEnumerator();
        Assert.Equal("end", await closed.NextAsync());
        Assert.Empty(server.Calls);
    }

    [Fact]
    public async Task Concurrent_read_throws_and_the_first_read_continues()
    {
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        await using CacheClient client = server.Connect();
        IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        Task<string> first = events.NextAsync();
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await events.MoveNextAsync());
        Assert.False(first.IsCompleted);
        // The subscription is disposed while a read is in progress.
        await events.DisposeAsync();
        await events.DisposeAsync();
        Assert.Equal("end", await first);
    }

    [Theory]
    [InlineData(null, "t")]
    [InlineData("", "t")]
    [InlineData("é", "t")]
    [InlineData("cache", null)]
    [InlineData("cache", "")]
    public async Task Invalid_cache_or_topic_name_returns_one_error(string? cache, string? topic)
    {
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        await using CacheClient client = server.Connect();
        await using IAsyncEnumerator<TopicEvent> events = client.Cache(cache!).Subscribe(topic!).GetAsyncEnumerator();
        Assert.Equal(["error InvalidArgument", "end"], await events.TakeAsync(2));
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await client.Cache(cache!).PublishAsync(topic!, "v")).Code);
        Assert.Empty(server.Calls);
        Assert.Equal((0, 0), (client.InFlight, client.Topics.Subscriptions));
    }

    [Fact]
    public async Task Invalid_subscribe_options_and_values_return_errors()
    {
        await using CacheClient client = new(Configurations.Laptop.Latest(), CredentialProvider.Local(), TimeSpan.FromMinutes(1));
        await using IAsyncEnumerator<TopicEvent> torn = client.Cache("cache").Subscribe("\ud800").GetAsyncEnumerator();
        Assert.Equal(["error InvalidArgument", "end"], await torn.TakeAsync(2));
        foreach (SubscribeOptions options in (SubscribeOptions[])
            [
                new() { Page = 1 },
                new() { ResumeAt = 1, From = TopicStart.Now },
                new() { From = (TopicStart)7 },
            ])
        {
            await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t", options).GetAsyncEnumerator();
            Assert.Equal(["error InvalidArgument", "end"], await events.TakeAsync(2));
        }

        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await client.Cache("cache").PublishAsync("t", default)).Code);
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await client.Cache("cache").PublishAsync("t", "\ud800")).Code);
    }

    [Fact]
    public async Task Metrics_and_spans_report_subscriptions()
    {
        TaskCompletionSource wasRead = new();
        await using TopicScript server = await TopicScript.StartAsync(
            async call =>
            {
                await call.BeginAsync("7-1");
                await call.ItemAsync(1);
                await wasRead.Task;
                call.Reset();
            },
            static async call =>
            {
                await call.BeginAsync();
                await call.GapAsync(1, 4);
                await call.ItemAsync(5);
                await call.HoldAsync();
            });
        List<Activity> spans = [];
        using ActivityListener listener = new()
        {
            ShouldListenTo = static source => source.Name == "Larder",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = span =>
            {
                lock (spans)
                {
                    spans.Add(span);
                }
            },
        };
        ActivitySource.AddActivityListener(listener);
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest() with { InitialBackOff = TimeSpan.FromMilliseconds(1) });
        await using IAsyncEnumerator<TopicEvent> events = client.Cache("cache").Subscribe("t").GetAsyncEnumerator();
        Assert.Equal("7-1 1", await events.NextAsync());
        wasRead.SetResult();
        Assert.Equal(["gap 1 7-5", "7-5 5"], await events.TakeAsync(2));
        Assert.Equal(
            new TopicStatistics { Subscriptions = 1, Connections = 1, Items = 2, Discontinuities = 1, Reconnects = 1 },
            client.Topics);
        Assert.Equal(
            [
                ("cache.client.topic.discontinuities", 1L),
                ("cache.client.topic.items", 2),
                ("cache.client.topic.reconnects", 1),
                ("cache.client.topic.subscriptions", 1),
            ],
            Measured(client).OrderBy(static one => one.Name, StringComparer.Ordinal));
        lock (spans)
        {
            // Other tests run in parallel, so the list may contain more spans.
            Assert.True(spans.Count(static span => span.OperationName == "subscribe cache") >= 2);
        }
    }

    private static List<(string Name, long Value)> Measured(CacheClient client)
    {
        List<(string, long)> measured = [];
        using MeterListener meters = new()
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Meter == client.Telemetry.Meter && instrument.Name.StartsWith("cache.client.topic.", StringComparison.Ordinal))
                {
                    self.EnableMeasurementEvents(instrument);
                }
            },
        };
        meters.SetMeasurementEventCallback<int>((instrument, value, _, _) => measured.Add((instrument.Name, value)));
        meters.SetMeasurementEventCallback<long>((instrument, value, _, _) => measured.Add((instrument.Name, value)));
        meters.Start();
        meters.RecordObservableInstruments();
        return measured;
    }

    private static (string, string, ulong, ulong) Asked(TopicCall call) =>
        (call.Request.CacheName, call.Request.Topic, call.Request.ResumeAtTopicSequenceNumber, call.Request.SequencePage);
}
