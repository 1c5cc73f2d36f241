using System.Globalization;
using Google.Protobuf;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Topics;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Topics;

/// <summary>Tests of topics of two gateways in front of one server.</summary>
public sealed class GatewayTopicTests : GatewayPair
{
    private const string Control = "/control_client.ScsControl";

    [Fact]
    public async Task FLEET_15_sequence_numbers_are_identical_at_all_gateways()
    {
        await using TopicStream here = await First.Channel.SubscribedAsync("t");
        await using TopicStream there = await Second.Channel.SubscribedAsync("t");
        await Task.WhenAll(Enumerable.Range(0, 300).Select(number => (number % 2 == 0 ? First : Second).Channel.PublishAsync("t", $"{number}")));
        List<TopicItem> one = await ItemsAsync(here, 300);
        List<TopicItem> other = await ItemsAsync(there, 300);
        Assert.Equal(one, other);
        Assert.Equal(Enumerable.Range(1, 300).Select(static number => (ulong)number), one.Select(static item => item.TopicSequenceNumber));
        Assert.Single(one.Select(static item => item.SequencePage).Distinct());
        Assert.Equal(300, one.Select(static item => item.Value.Text).Distinct().Count());
    }

    [Fact]
    public async Task FLEET_15_subscription_resumes_at_another_gateway_without_loss()
    {
        await First.Channel.PublishAsync("t", "1");
        TopicStream stream = await First.Channel.SubscribedAsync("t");
        TopicItem last = await stream.NextItemAsync();
        await stream.DisposeAsync();
        for (int number = 2; number <= 500; number++)
        {
            await First.Channel.PublishAsync("t", $"{number}");
        }

        await using TopicStream resumed = await Second.Channel.SubscribedAsync("t", last.TopicSequenceNumber + 1, last.SequencePage);
        Assert.Equal(Enumerable.Range(2, 499).Select(static number => $"{number}"), (await ItemsAsync(resumed, 499)).Select(static item => item.Value.Text));
        // One of the subscribers resumes after a message that this gateway has not read yet. Therefore, the gateway must first query the server.
        for (int number = 501; number <= 600; number++)
        {
            await First.Channel.PublishAsync("t", $"{number}");
            await using TopicStream next = await Second.Channel.SubscribedAsync("t", (ulong)number + 1, last.SequencePage);
            await using TopicStream same = await Second.Channel.SubscribedAsync("t", (ulong)number, last.SequencePage);
            Assert.Equal($"{number}", (await same.NextItemAsync()).Value.Text);
            await First.Channel.PublishAsync("t", $"{++number}");
            Assert.Equal($"{number}", (await next.NextItemAsync()).Value.Text);
        }
    }

    [Theory]
    [InlineData(0, 0, false, "v3")]
    [InlineData(1, 0, false, "v1")]
    [InlineData(3, 0, false, "v3")]
    [InlineData(4, 0, false, "v4")]
    [InlineData(5, 0, true, "v3")]
    [InlineData(1, 7, true, "v3")]
    [InlineData(4, 7, true, "v3")]
    public async Task TOP_3_subscription_starts_at_same_position_as_in_memory_store(ulong resumeAt, ulong page, bool isGap, string first)
    {
        for (int number = 1; number <= 3; number++)
        {
            await First.Channel.PublishAsync("t", $"v{number}");
        }

        await using TopicStream stream = await Second.Channel.SubscribedAsync("t", resumeAt, page);
        if (isGap)
        {
            Discontinuity gap = await stream.NextGapAsync();
            Assert.Equal((resumeAt - 1, 2UL), (gap.LastTopicSequence, gap.NewTopicSequence));
        }

        await First.Channel.PublishAsync("t", "v4");
        Assert.Equal(first, (await stream.NextItemAsync()).Value.Text);
    }

    [Fact]
    public async Task TOP_3_dropped_messages_are_reported_as_a_gap()
    {
        await Task.WhenAll(Enumerable.Range(0, 1_001).Select(_ => First.Channel.PublishAsync("t", "v")));
        await using TopicStream kept = await Second.Channel.SubscribedAsync("t", 2);
        Assert.Equal(2UL, (await kept.NextItemAsync()).TopicSequenceNumber);
        await using TopicStream dropped = await Second.Channel.SubscribedAsync("t", 1);
        Assert.Equal((0UL, 1_000UL), ((await dropped.NextGapAsync()).NewTopicSequence - 1_000, (await dropped.NextItemAsync()).TopicSequenceNumber - 1));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(127)]
    [InlineData(128)]
    [InlineData(64 * 1024)]
    [InlineData(1 << 20)]
    public async Task TOP_6_message_of_up_to_1_MiB_round_trips(int length)
    {
        byte[] value = new byte[length];
        new Random(length).NextBytes(value);
        await using TopicStream stream = await Second.Channel.SubscribedAsync("größe/\0{tag}");
        await First.Channel.PublishAsync("größe/\0{tag}", ByteString.CopyFrom(value));
        TopicItem item = await stream.NextItemAsync();
        Assert.Equal(value, item.Value.Binary.ToByteArray());
        Assert.Equal(TopicValue.KindOneofCase.Binary, item.Value.KindCase);
    }

    [Fact]
    public async Task TOP_6_message_over_1_MiB_is_rejected()
    {
        RpcException refused = await Assert.ThrowsAsync<RpcException>(() => First.Channel.PublishAsync("t", ByteString.CopyFrom(new byte[(1 << 20) + 1])));
        Assert.Equal(StatusCode.ResourceExhausted, refused.Status.Code);
        Assert.Equal("0", Redis.Ask("exists", StreamKey("t")));
    }

    [Fact]
    public async Task TOP_7_cache_deleted_at_another_gateway_ends_its_subscriptions()
    {
        await CreateAsync("mine");
        await First.Channel.PublishAsync("t", "old", "mine");
        await using TopicStream stream = await Second.Channel.SubscribedAsync("t", cache: "mine");
        await using TopicStream other = await Second.Channel.SubscribedAsync("t");
        TopicItem old = await stream.NextItemAsync();
        await First.CallAsync<DeleteCacheResponse>($"{Control}/DeleteCache", new DeleteCacheRequest { Name = "mine" });
        Assert.Equal(StatusCode.NotFound, (await stream.EndAsync()).Status.Code);
        RpcException gone = await Assert.ThrowsAsync<RpcException>(() => Second.Channel.PublishAsync("t", "v", "mine"));
        Assert.Equal(StatusCode.NotFound, gone.Status.Code);
        await CreateAsync("mine");
        await Eventually.UntilAsync(() => IsKnownAsync(Second, "mine"), "the other gateway knows of the new cache");
        await using TopicStream anew = await Second.Channel.SubscribedAsync("t", 2, old.SequencePage, "mine");
        Assert.Equal(1UL, (await anew.NextGapAsync()).LastTopicSequence);
        await Second.Channel.PublishAsync("t", "new", "mine");
        Assert.Equal((1UL, "new"), ((await anew.NextItemAsync()) is { } item ? (item.TopicSequenceNumber, item.Value.Text) : default));
        await First.Channel.PublishAsync("t", "still");
        Assert.Equal("still", (await other.NextItemAsync()).Value.Text);
        Eventually.Until(() => Redis.Ask("keys", "Ts*").Split('\n').Length == 2, "what the deleted cache's topics kept is swept");
    }

    [Fact]
    public async Task Flush_does_not_affect_topics()
    {
        await First.Channel.PublishAsync("t", "before");
        await using TopicStream stream = await Second.Channel.SubscribedAsync("t");
        await First.FlushAsync();
        Assert.Equal("before", (await stream.NextItemAsync()).Value.Text);
        await First.Channel.PublishAsync("t", "after");
        Assert.Equal((2UL, "after"), ((await stream.NextItemAsync()) is { } item ? (item.TopicSequenceNumber, item.Value.Text) : default));
        Eventually.Until(() => !Redis.Ask("hkeys", "L:{larder}:caches").Contains("s:", StringComparison.Ordinal), "the sweep is done");
        Assert.Equal("2", Redis.Ask("xlen", StreamKey("t")));
    }

    [Fact]
    public async Task FLEET_15_gateway_reads_topics_on_separate_connection_only_while_subscribers_exist()
    {
        await First.Channel.PublishAsync("t", "v");
        Eventually.Until(() => Readers() == 0, "the gateways read the announcements of changed caches");
        TopicStream stream = await Second.Channel.SubscribedAsync("t");
        Eventually.Until(() => Readers() == 1, "one connection reads");
        // Other calls do not wait for the blocked read.
        await Second.SetAsync("k", "v");
        await stream.DisposeAsync();
        Eventually.Until(() => Readers() == 0, "its connection is closed soon after its last subscriber left");
    }

    [Fact]
    public async Task Many_topics_share_few_connections()
    {
        TopicStream[] streams = await Task.WhenAll(Enumerable.Range(0, 90).Select(number => Second.Channel.SubscribedAsync($"t{number}")));
        Assert.InRange(Readers(), 20, 32);
        await Task.WhenAll(Enumerable.Range(0, 90).Select(number => First.Channel.PublishAsync($"t{number}", $"v{number}")));
        for (int number = 0; number < streams.Length; number++)
        {
            Assert.Equal($"v{number}", (await streams[number].NextItemAsync()).Value.Text);
            await streams[number].DisposeAsync();
        }
    }

    [Fact]
    public async Task Server_restart_without_data_causes_gap_and_new_page()
    {
        await using TopicStream here = await First.Channel.SubscribedAsync("t");
        await using TopicStream there = await Second.Channel.SubscribedAsync("t");
        await First.Channel.PublishAsync("t", "before");
        ulong page = (await here.NextItemAsync()).SequencePage;
        Assert.Equal("before", (await there.NextItemAsync()).Value.Text);
        Redis.Kill();
        Redis.Restart();
        await RunningGateway.WaitUntilReadyAsync(First);
        await Eventually.UntilAsync(() => TryPublishAsync("after"), "it can be published again");
        foreach (TopicStream stream in (TopicStream[])[here, there])
        {
            Discontinuity gap = await stream.NextGapAsync();
            Assert.Equal((1UL, 0UL), (gap.LastTopicSequence, gap.NewTopicSequence));
            Assert.True(gap.NewSequencePage > page);
            TopicItem item = await stream.NextItemAsync();
            Assert.Equal((gap.NewSequencePage, 1UL, "after"), (item.SequencePage, item.TopicSequenceNumber, item.Value.Text));
        }
    }

    [Fact]
    public async Task FLEET_8_ambiguous_publish_is_never_retried()
    {
        await using TopicStream stream = await Second.Channel.SubscribedAsync("t");
        await First.Channel.PublishAsync("t", "1");
        Redis.Pause();
        Task<RpcException> lost = Assert.ThrowsAsync<RpcException>(() => First.Channel.PublishAsync("t", "2"));
        RpcException ambiguous = await lost;
        Redis.Resume();
        Assert.Equal(StatusCode.Unavailable, ambiguous.Status.Code);
        Assert.DoesNotContain(ambiguous.Trailers, static trailer => trailer.Key == "err");
        await RunningGateway.WaitUntilReadyAsync(First);
        await Eventually.UntilAsync(() => TryPublishAsync("3"), "it can be published again");
        // The message had reached the socket of the server, and was published exactly once.
        Assert.Equal(["1", "2", "3"], (await ItemsAsync(stream, 3)).Select(static item => item.Value.Text));
    }

    [Fact]
    public async Task FLEET_8_full_cluster_rejects_publishes_and_keeps_existing_subscriptions()
    {
        await using TopicStream stream = await Second.Channel.SubscribedAsync("t");
        await First.Channel.PublishAsync("t", "1");
        Redis.Ask("config", "set", "maxmemory", "1");
        RpcException full = await Assert.ThrowsAsync<RpcException>(() => First.Channel.PublishAsync("t", "2"));
        Assert.Equal(StatusCode.ResourceExhausted, full.Status.Code);
        await using TopicStream more = await Second.Channel.SubscribedAsync("t", 1);
        Assert.Equal("1", (await more.NextItemAsync()).Value.Text);
        RpcException none = await Second.Channel.Subscribe("another").EndAsync();
        Assert.Equal(StatusCode.ResourceExhausted, none.Status.Code);
        Redis.Ask("config", "set", "maxmemory", "0");
        await First.Channel.PublishAsync("t", "3");
        Assert.Equal(["1", "3"], (await ItemsAsync(stream, 2)).Select(static item => item.Value.Text));
    }

    [Fact]
    public async Task Publish_and_subscribe_fail_with_Unavailable_without_a_cluster()
    {
        Redis.Kill();
        await using RunningServer gateway = await RunningServer.StartAsync(options => options with { Store = Redis.Url });
        RpcException publish = await Assert.ThrowsAsync<RpcException>(() => gateway.Channel.PublishAsync("t", "v"));
        RpcException subscribe = await gateway.Channel.Subscribe("t").EndAsync();
        Assert.Equal((StatusCode.Unavailable, StatusCode.Unavailable), (publish.Status.Code, subscribe.Status.Code));
    }

    [Fact]
    public async Task Invalid_stream_entry_is_reported_as_a_gap()
    {
        await using TopicStream stream = await First.Channel.SubscribedAsync("t");
        await First.Channel.PublishAsync("t", "1");
        TopicItem first = await stream.NextItemAsync();
        string key = StreamKey("t");
        (string, string)[] entries = [("v", ""), ("other", "x"), ("v", "\u000a\u007fx"), ("v", "\u000a\u0001xy"), ("v", "\u001a\u0001x")];
        foreach ((string field, string value) in entries)
        {
            Redis.Ask("xadd", key, $"{first.SequencePage}-*", field, value);
        }

        for (ulong number = 2; number <= 6; number++)
        {
            Assert.Equal(number, (await stream.NextGapAsync()).NewTopicSequence);
        }
    }

    private static async Task<List<TopicItem>> ItemsAsync(TopicStream stream, int count)
    {
        List<TopicItem> items = [];
        while (items.Count < count)
        {
            items.Add(await stream.NextItemAsync());
        }

        return items;
    }

    private static async Task<bool> IsKnownAsync(RunningServer gateway, string cache)
    {
        ListCachesResponse list = await gateway.CallAsync<ListCachesResponse>($"{Control}/ListCaches", new ListCachesRequest());
        return list.Caches.Any(each => each.Name == cache);
    }

    private async Task CreateAsync(string cache)
    {
        await First.CallAsync<CreateCacheResponse>($"{Control}/CreateCache", new CreateCacheRequest { Name = cache });
        await Eventually.UntilAsync(() => IsKnownAsync(Second, cache), "the other gateway knows of the new cache");
    }

    private async Task<bool> TryPublishAsync(string text)
    {
        try
        {
            await First.Channel.PublishAsync("t", text);
            return true;
        }
        catch (RpcException error) when (error.Status.Code == StatusCode.Unavailable)
        {
            return false;
        }
    }

    private string StreamKey(string topic) =>
        Redis.Ask("keys", $"Ts*:{topic}").Split('\n') is [{ Length: > 0 } key] ? key : $"no stream of {topic}";

    // The connections that read topics. Each of the two gateways has another connection that reads the announcements of changed caches.
    private int Readers() => Redis.Ask("client", "list").Split('\n').Count(static line => line.Contains("cmd=xread", StringComparison.Ordinal)) - 2;
}
