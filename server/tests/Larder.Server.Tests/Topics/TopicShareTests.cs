using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Topics;
using Larder.Wire;
using TopicLimits = Larder.Server.Topics.TopicLimits;

namespace Larder.Server.Tests.Topics;

/// <summary>Tests of how caches share the memory for topics (TOP-13).</summary>
public sealed class TopicShareTests
{
    // Topics may use three eighths of the buffers, which is 3 MiB.
    private readonly FeedFixture _fixture = new(bufferBytes: 8 << 20);
    private readonly TopicShare _neighbour;

    public TopicShareTests() => _neighbour = new TopicShare(_fixture.Memory);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(10)]
    public void Cache_can_publish_when_another_cache_fills_topic_memory(int times)
    {
        (List<TopicFeed> greedy, int made) = FillWithTopics(times);
        Assert.True(_fixture.NewFeedsOf(_neighbour, 10, out TopicFeed[] feeds));
        foreach (TopicFeed feed in feeds)
        {
            Assert.True(Publish(feed, 100_000));
            Assert.True(Publish(feed, 1));
        }

        Assert.All(feeds, static feed => Assert.Equal(2, feed.Figures().Kept));
        Assert.All(feeds, static feed => Assert.False(feed.HasEnded));

        // Only as many topics were ended as necessary.
        Assert.InRange(greedy.LongCount(static feed => feed.HasEnded), 1, 1 + (2L * 1_010_000 * made / _fixture.Memory.LimitBytes));
        Assert.InRange(_fixture.Memory.UsedBytes, 1, _fixture.Memory.LimitBytes);
    }

    [Fact]
    public void Publish_fails_without_evicting_topics_when_single_cache_fills_memory()
    {
        (List<TopicFeed> topics, _) = FillWithTopics(2);
        Assert.False(Publish(topics[0], 10_000));
        Assert.All(topics, static feed => Assert.False(feed.HasEnded));
    }

    [Fact]
    public void Kept_messages_are_evicted_first_then_idle_topics()
    {
        TopicFeed keeping = _fixture.NewFeed("keeping");
        Assert.True(Publish(keeping, 500_000));
        List<TopicFeed> followed = [];
        for (int i = 0; i < 500; i++)
        {
            TopicFeed feed = _fixture.NewFeed($"followed {i}");
            Assert.Null(feed.Open(new TopicStart(0, 0, FromNow: true), _fixture.Clock, out _));
            followed.Add(feed);
        }

        List<TopicFeed> idle = [];
        while (_fixture.Memory.LimitBytes - _fixture.Memory.UsedBytes > 5_000)
        {
            idle.Add(_fixture.NewFeed($"idle {idle.Count}"));
        }

        Assert.True(_fixture.NewFeedsOf(_neighbour, 1, out TopicFeed[] feeds));
        Assert.True(Publish(feeds[0], 400_000));
        Assert.Equal(0, keeping.Figures().Kept);
        Assert.All(idle, static feed => Assert.False(feed.HasEnded));
        Assert.True(Publish(feeds[0], 400_000));
        Assert.Contains(idle, static feed => feed.HasEnded);
        Assert.All(followed, static feed => Assert.False(feed.HasEnded));
    }

    [Fact]
    public void Subscribers_are_notified_when_their_topic_is_evicted()
    {
        List<TopicReader> readers = [];
        int number = 0;
        while (_fixture.TryNewFeed(_fixture.Share, $"followed {number++}", out TopicFeed? feed))
        {
            Assert.Null(feed!.Open(new TopicStart(0, 0, FromNow: true), _fixture.Clock, out TopicReader? reader));
            readers.Add(reader!);
        }

        // The fixture's own topic has no subscribers and is ended first.
        Assert.True(_fixture.NewFeedsOf(_neighbour, 10, out _));
        Assert.True(_fixture.Feed.HasEnded);
        Assert.Contains(readers, static reader => reader.Error is { Code: StatusCode.ResourceExhausted, Cause: RpcException.MemoryLimitCause });
        Assert.InRange(readers.Count(static reader => reader.Error is not null), 1, 10);
    }

    [Fact]
    public void Greedy_caches_get_equal_shares_of_topic_memory()
    {
        FillWithTopics(1);
        TopicFeed? mine = null;
        for (int i = 0; _fixture.TryNewFeed(_neighbour, $"n{i}", out TopicFeed? feed); i++)
        {
            mine ??= feed;
        }

        long half = _fixture.Memory.LimitBytes / 2;
        Assert.InRange(_neighbour.UsedBytes, half - 5_000, half + 5_000);
        Assert.False(_fixture.TryNewFeed(_fixture.Share, "more", out _));
        Assert.False(mine!.HasEnded);
    }

    [Fact]
    public async Task Publish_succeeds_when_another_cache_fills_memory_with_topics()
    {
        await using RunningServer server = await RunningServer.StartAsync(static options => options with { MemoryBytes = 64L << 20 });
        await server.CallAsync<CreateCacheResponse>("/control_client.ScsControl/CreateCache", new CreateCacheRequest { Name = "neighbour" });
        await using TopicStream follower = await server.Channel.SubscribedAsync("orders", cache: "neighbour");
        int refused = 0;
        foreach (int[] part in Enumerable.Range(0, 10_000).Chunk(90))
        {
            int[] results = await Task.WhenAll(part.Select(i => TryPublishAsync(server, $"{i}{new string('t', 1_000)}", 1)));
            refused += results.Count(static result => result != 0);
        }

        Assert.NotEqual(0, refused);
        Assert.Equal(0, await TryPublishAsync(server, "orders", 100_000, "neighbour"));
        Assert.Equal(0, await TryPublishAsync(server, "other", 1, "neighbour"));
        SubscriptionItem item = await follower.NextAsync();
        while (item.KindCase == SubscriptionItem.KindOneofCase.Heartbeat)
        {
            item = await follower.NextAsync();
        }

        Assert.Equal(SubscriptionItem.KindOneofCase.Item, item.KindCase);

        // A publish to a topic that was ended creates the topic again.
        for (int i = 0; i < 10; i++)
        {
            await TryPublishAsync(server, $"{i}{new string('t', 1_000)}", 1);
            Assert.Equal(0, await TryPublishAsync(server, "orders", 100_000, "neighbour"));
        }
    }

    private static async Task<int> TryPublishAsync(RunningServer server, string topic, int bytes, string cache = RunningServer.Cache)
    {
        try
        {
            await server.Channel.PublishAsync(topic, ByteString.CopyFrom(new byte[bytes]), cache);
            return 0;
        }
        catch (RpcException error) when (error.Status.Code == StatusCode.ResourceExhausted)
        {
            return 1;
        }
    }

    // Creates topics in the fixture's cache until memory is exhausted. If n topics fit, makes `times` × n attempts in total.
    private (List<TopicFeed> Topics, int Made) FillWithTopics(int times)
    {
        List<TopicFeed> made = [];
        int tried = 0;
        for (int limit = int.MaxValue; tried < limit; tried++)
        {
            if (_fixture.TryNewFeed(_fixture.Share, $"{tried}", out TopicFeed? feed))
            {
                made.Add(feed!);
            }
            else if (limit == int.MaxValue)
            {
                limit = tried * times;
            }
        }

        return (made, made.Count);
    }

    private static bool Publish(TopicFeed feed, int bytes)
    {
        TopicMessage message = FeedFixture.Message(new byte[Math.Min(bytes, TopicLimits.MaxMessageBytes)]);
        long held = TopicEvent.HeldBytesOf(message);
        return feed.Share.TryTake(held) && feed.TryPublish(message, held);
    }
}
