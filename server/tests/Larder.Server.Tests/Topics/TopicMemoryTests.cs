using Larder.Server.Topics;
using TopicLimits = Larder.Server.Topics.TopicLimits;

namespace Larder.Server.Tests.Topics;

[Collection(nameof(SequentialMeasurements))]
public sealed class TopicMemoryTests
{
    // Topics may use three eighths of the buffers, which is 3 MiB.
    private readonly FeedFixture _fixture = new(bufferBytes: 8 << 20);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Large_messages_are_stored_while_many_small_topics_exist(int messages)
    {
        TopicFeed[] small = [.. Enumerable.Range(0, 1_000).Select(each => _fixture.NewFeed($"small {each}"))];
        foreach (TopicFeed feed in small.Take(1_000 * messages))
        {
            Publish(feed, FeedFixture.Message("x"));
        }

        TopicMessage large = FeedFixture.Message(new byte[TopicLimits.MaxMessageBytes]);
        foreach (int each in Enumerable.Range(0, 10))
        {
            Publish(_fixture.NewFeed($"large {each}"), large);
        }

        Assert.Equal(0, _fixture.Memory.Refusals);
    }

    [Fact]
    public void Topics_release_only_needed_memory_when_buffers_are_full()
    {
        foreach (int each in Enumerable.Range(0, 100))
        {
            Publish(_fixture.NewFeed($"{each}"), FeedFixture.Message(new byte[10_000]));
        }

        // Other users take all free buffers. If topics free memory, other users may take this memory before other topics do.
        long before = _fixture.Memory.UsedBytes;
        long others = _fixture.Buffers.LimitBytes - _fixture.Buffers.UsedBytes;
        Assert.True(_fixture.Buffers.TryTake(others));
        Assert.False(_fixture.Share.TryTake(_fixture.Memory.LimitBytes + 1));
        Assert.Equal(before, _fixture.Memory.UsedBytes);
        Assert.True(_fixture.Share.TryTake(10_000));
        Assert.InRange(_fixture.Memory.GivenUp, 1, 2);
    }

    [Fact]
    public void Memory_of_topic_name_is_counted_and_released()
    {
        long before = _fixture.Memory.UsedBytes;
        TopicFeed named = _fixture.NewFeed(new string('t', 1_024));
        Assert.Equal(before + (sizeof(char) * 1_023), _fixture.Memory.UsedBytes - before);
        named.End(TopicErrors.Draining);
        _fixture.Feed.End(TopicErrors.Draining);
        Assert.Equal((0, 0), (_fixture.Memory.UsedBytes, _fixture.Buffers.UsedBytes));
    }

    [Fact]
    public void Feeds_with_dropped_messages_use_at_most_twice_counted_memory()
    {
        const int Topics = 500;
        long before = GC.GetTotalMemory(forceFullCollection: true);
        FeedFixture fixture = new();
        TopicFeed[] feeds = [.. Enumerable.Range(0, Topics).Select(each => fixture.NewFeed($"{each}"))];
        TopicMessage small = FeedFixture.Message("x");
        foreach (TopicFeed feed in feeds)
        {
            for (int each = 0; each < TopicLimits.KeptMessages; each++)
            {
                long held = TopicEvent.HeldBytesOf(small);
                Assert.True(fixture.Share.TryTake(held));
                Assert.True(feed.TryPublish(small, held));
            }

            while (feed.DropOlderHalf().Messages > 0)
            {
            }
        }

        long rest = GC.GetTotalMemory(forceFullCollection: true) - before;
        Assert.True(rest < 2 * fixture.Memory.UsedBytes, $"{rest} bytes, of which {fixture.Memory.UsedBytes} are counted");
        GC.KeepAlive(feeds);
    }

    private void Publish(TopicFeed feed, TopicMessage message)
    {
        long held = TopicEvent.HeldBytesOf(message);
        Assert.True(_fixture.Share.TryTake(held), $"refused with {_fixture.Memory.UsedBytes} of {_fixture.Memory.LimitBytes} bytes used");
        Assert.True(feed.TryPublish(message, held));
    }
}
