using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Security;
using Larder.Wire;

namespace Larder.Server.Tests.Topics;

/// <summary>Tests of subscriptions during faults.</summary>
public sealed class TopicFaultTests
{
    [Fact]
    public async Task Slow_subscriber_receives_gap_without_slowing_other_subscribers()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await SubscriberLoadChecks.ReadsNothingAsync(server, server);
    }

    [Fact]
    public async Task S2_stopping_server_delivers_accepted_messages_and_ends_subscriptions()
    {
        RunningServer server = await RunningServer.StartAsync();
        await using TopicStream stream = await server.Channel.SubscribedAsync("t");
        ByteString value = ByteString.CopyFrom(new byte[10_000]);
        for (int each = 0; each < 50; each++)
        {
            await server.Channel.PublishAsync("t", value);
        }

        Task stopping = server.Server.StopAsync();
        for (ulong number = 1; number <= 50; number++)
        {
            Assert.Equal(number, (await stream.NextItemAsync()).TopicSequenceNumber);
        }

        Assert.Equal(StatusCode.Unavailable, (await stream.EndAsync()).Status.Code);
        await stopping;
        await server.DisposeAsync();
    }

    [Fact]
    public async Task Resume_after_server_restart_reports_gap_with_larger_sequence_page()
    {
        ulong page;
        await using (RunningServer first = await RunningServer.StartAsync())
        {
            await using TopicStream before = await first.Channel.SubscribedAsync("t");
            await first.Channel.PublishAsync("t", "a");
            page = (await before.NextItemAsync()).SequencePage;
        }

        await using RunningServer second = await RunningServer.StartAsync();
        await using TopicStream after = await second.Channel.SubscribedAsync("t", resumeAt: 2, page);
        Discontinuity gap = await after.NextGapAsync();
        Assert.True(gap.NewSequencePage > page);
        Assert.Equal((1UL, 0UL), (gap.LastTopicSequence, gap.NewTopicSequence));
        await second.Channel.PublishAsync("t", "b");
        TopicItem item = await after.NextItemAsync();
        Assert.Equal((1UL, gap.NewSequencePage), (item.TopicSequenceNumber, item.SequencePage));
    }

    [Fact]
    public async Task Deleted_cache_ends_its_subscriptions()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await server.CallAsync<CreateCacheResponse>("/control_client.ScsControl/CreateCache", new CreateCacheRequest { Name = "gone" });
        await using TopicStream stream = await server.Channel.SubscribedAsync("t", cache: "gone");
        await server.CallAsync<DeleteCacheResponse>("/control_client.ScsControl/DeleteCache", new DeleteCacheRequest { Name = "gone" });
        Assert.Equal(StatusCode.NotFound, (await stream.EndAsync()).Status.Code);
        RpcException refused = await Assert.ThrowsAsync<RpcException>(() => server.Channel.PublishAsync("t", "a", cache: "gone"));
        Assert.Equal(StatusCode.NotFound, refused.Status.Code);
    }

    [Fact]
    public async Task N3_five_thousand_subscribers_of_a_topic_receive_every_message()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { MemoryBytes = 512L << 20 });
        await SubscriberLoadChecks.SubscribersAsync(server, server);
    }

    [Fact]
    public async Task N3_five_thousand_topics_deliver_their_own_messages()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { MemoryBytes = 512L << 20 });
        await SubscriberLoadChecks.TopicsAsync(server, server);
    }

    [Fact]
    public async Task Subscription_over_the_stream_limit_waits_for_a_free_stream()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using RpcChannel channel = StallTolerantChannel.To(server.Server.Endpoint);
        TopicStream[] all = await Task.WhenAll(Enumerable.Range(0, 100).Select(_ => channel.SubscribedAsync("t")));
        Task<TopicStream> oneMore = channel.SubscribedAsync("t");
        await all[0].DisposeAsync();
        await using TopicStream opened = await oneMore.WaitAsync(RunningServer.Patience);
        foreach (TopicStream each in all[1..])
        {
            await each.DisposeAsync();
        }
    }

    [Fact]
    public async Task Closed_subscription_frees_its_slot_before_the_next_call()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { MaxTopicSubscribers = 1 });
        for (int round = 0; round < 200; round++)
        {
            await using TopicStream stream = await server.Channel.SubscribedAsync("t");
        }
    }

    [Fact]
    public async Task Removed_token_or_reduced_rights_end_the_subscription()
    {
        using TokensOnDisk tokens = new(Entries("read", "read"));
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        RpcHeaders one = new(new KeyValuePair<string, string>("authorization", TokensOnDisk.SecretOf("one")));
        RpcHeaders two = new(new KeyValuePair<string, string>("authorization", TokensOnDisk.SecretOf("two")));
        await using TopicStream taken = await server.Channel.SubscribedAsync("t", headers: one);
        await using TopicStream shrunk = await server.Channel.SubscribedAsync("t", headers: two);
        tokens.Write(TokensOnDisk.TopicEntry("two", "write", RunningServer.Cache));
        Assert.True(server.Server.Reload());
        Assert.Equal(StatusCode.Unauthenticated, (await taken.EndAsync()).Status.Code);
        Assert.Equal(StatusCode.PermissionDenied, (await shrunk.EndAsync()).Status.Code);
        await server.Channel.PublishAsync("t", "a", headers: two);

        static string[] Entries(string first, string second) =>
            [TokensOnDisk.TopicEntry("one", first, RunningServer.Cache), TokensOnDisk.TopicEntry("two", second, RunningServer.Cache)];
    }

    [Fact]
    public async Task Expired_token_ends_its_subscription()
    {
        string end = DateTimeOffset.UtcNow.AddSeconds(4).ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", null);
        using TokensOnDisk tokens = new(
            TokensOnDisk.TopicEntry("one", "read", RunningServer.Cache).Replace("\"grants\"", $"\"expires\": \"{end}\", \"grants\"", StringComparison.Ordinal));
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        TopicStream stream = server.Channel.Subscribe(
            "t",
            headers: new RpcHeaders(new KeyValuePair<string, string>("authorization", TokensOnDisk.SecretOf("one"))));
        await using (stream)
        {
            Assert.Equal(StatusCode.Unauthenticated, (await stream.EndAsync()).Status.Code);
        }
    }
}
