using Larder.Server.Calls;
using Larder.Server.Topics;
using TopicLimits = Larder.Server.Topics.TopicLimits;

namespace Larder.Server.Tests.Topics;

public sealed class TopicFeedTests
{
    [Theory]
    [InlineData(0UL, 0UL, "3", "1764000000000-3")]
    [InlineData(1UL, 0UL, "1 2 3", "1764000000000-1")]
    [InlineData(2UL, FeedFixture.Page, "2 3", "1764000000000-2")]
    [InlineData(4UL, 0UL, "", "1764000000000-4")]
    [InlineData(5UL, 0UL, "4|2 3", "1764000000000-3")]
    [InlineData(ulong.MaxValue, 0UL, "18446744073709551614|2 3", "1764000000000-3")]
    [InlineData(1UL, 7UL, "0|2 3", "1764000000000-3")]
    [InlineData(0UL, 7UL, "3", "1764000000000-3")]
    public void Subscription_starts_at_requested_position(ulong resumeAt, ulong page, string got, string position)
    {
        FeedFixture fixture = new();
        fixture.Publish(Enumerable.Range(1, 3));
        TopicReader reader = fixture.Open(resumeAt, page);
        Assert.Equal(got, FeedFixture.TextOf(reader));
        Assert.Equal(position, reader.Position.ToString());
    }

    [Fact]
    public void Subscription_from_now_starts_after_the_newest_message()
    {
        FeedFixture fixture = new();
        fixture.Publish("a");
        TopicReader reader = fixture.Open(fromNow: true);
        fixture.Publish("b");
        Assert.Equal("2", FeedFixture.TextOf(reader));
        Assert.Equal(2UL, reader.Position.Number);
    }

    [Theory]
    [InlineData(TopicLimits.KeptMessages, "1")]
    [InlineData(TopicLimits.KeptMessages + 1, "0|1000")]
    [InlineData(TopicLimits.KeptMessages * 10, "0|9999")]
    public void Feed_keeps_a_thousand_messages(int published, string first)
    {
        FeedFixture fixture = new();
        fixture.Publish(Enumerable.Range(1, published));
        Assert.Equal(first, FeedFixture.TextOf(fixture.Open(resumeAt: 1)).Split(' ')[0]);
    }

    [Theory]
    [InlineData((1 << 20) - 1, "1")]
    [InlineData(1 << 20, "0|1")]
    public void Feed_keeps_1_MiB_of_messages_and_always_the_newest(int second, string first)
    {
        FeedFixture fixture = new();
        fixture.Publish("a");
        fixture.Publish(second);
        Assert.Equal($"{first} 2", FeedFixture.TextOf(fixture.Open(resumeAt: 1)));
    }

    [Fact]
    public void Non_consecutive_message_is_preceded_by_a_gap()
    {
        FeedFixture fixture = new(page: 0);
        TopicReader early = fixture.Open();
        Assert.Equal("0-1", early.Position.ToString());
        Append(5, 1);
        Append(5, 2);
        Append(5, 2);
        Append(5, 1);
        Append(5, 7);
        Append(6, 1);
        Assert.Equal("1 2 2|6 7 7|0 1", FeedFixture.TextOf(early));
        Assert.Equal("0|0 1", FeedFixture.TextOf(fixture.Open(resumeAt: 1, page: 5)));
        Assert.Equal("1", FeedFixture.TextOf(fixture.Open(resumeAt: 1, page: 6)));
        Assert.Equal(new TopicPosition(6, 1), fixture.Feed.Newest);

        void Append(ulong page, ulong number) => fixture.Feed.Append(new TopicPosition(page, number), FeedFixture.Message("x"));
    }

    [Fact]
    public void Resume_within_a_gap_reports_the_gap()
    {
        FeedFixture fixture = new(page: 5);
        foreach (ulong number in (ulong[])[1, 2, 6, 7])
        {
            fixture.Feed.Append(new TopicPosition(5, number), FeedFixture.Message("x"));
        }

        Assert.Equal("3|6 7", FeedFixture.TextOf(fixture.Open(resumeAt: 4)));
        Assert.Equal("2 2|5 6 7", FeedFixture.TextOf(fixture.Open(resumeAt: 2)));
        Assert.Equal("4|6 7", FeedFixture.TextOf(fixture.Open(resumeAt: 5)));
        Assert.Equal("6 7", FeedFixture.TextOf(fixture.Open(resumeAt: 6)));
    }

    [Fact]
    public void Skip_reports_a_gap_unless_the_feed_was_empty()
    {
        FeedFixture fixture = new(page: 0);
        fixture.Feed.Skip(new TopicPosition(5, 40));
        TopicReader reader = fixture.Open(resumeAt: 41, page: 5);
        Assert.Equal("", FeedFixture.TextOf(reader));
        fixture.Feed.Skip(new TopicPosition(5, 50));
        fixture.Feed.Skip(new TopicPosition(5, 45));
        Assert.Equal("40|50", FeedFixture.TextOf(reader));
    }

    [Fact]
    public void Subscriber_over_the_limit_is_rejected_until_another_leaves()
    {
        FeedFixture fixture = new(limits: new TopicLimits { SubscribersPerTopic = 2 });
        TopicReader first = fixture.Open();
        fixture.Open();
        CallError? error = fixture.Feed.Open(default, fixture.Clock, out _);
        Assert.Equal(TopicErrors.LimitCause, error!.Cause);
        Assert.Contains("subscribers", error.Message, StringComparison.Ordinal);
        fixture.Feed.Leave(first);
        fixture.Open();
    }

    [Fact]
    public void Feed_is_forgotten_after_ten_minutes_without_use()
    {
        FeedFixture fixture = new();
        TopicReader reader = fixture.Open();
        fixture.Publish("a");
        fixture.Time.Advance(TimeSpan.FromHours(1));
        Assert.False(fixture.Feed.TryForget(TopicLimits.DeletedAfterIdle));
        fixture.Feed.Leave(reader);
        fixture.Time.Advance(TopicLimits.DeletedAfterIdle - TimeSpan.FromSeconds(1));
        Assert.False(fixture.Feed.TryForget(TopicLimits.DeletedAfterIdle));
        fixture.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(fixture.Feed.TryForget(TopicLimits.DeletedAfterIdle));
        Assert.Equal((0, 0), (fixture.Memory.UsedBytes, fixture.Buffers.UsedBytes));
        Assert.Null(fixture.Feed.Open(default, fixture.Clock, out TopicReader? none));
        Assert.Null(none);
        Assert.False(fixture.Feed.TryPublish(FeedFixture.Message("b"), 0));
    }

    [Fact]
    public void Feed_memory_is_counted_and_released()
    {
        FeedFixture fixture = new();
        TopicMessage message = FeedFixture.Message(new byte[1_000]);
        for (int each = 0; each < 5_000; each++)
        {
            fixture.Publish(message);
        }

        Assert.Equal(TopicMemory.FeedBytesOf(fixture.Feed.Key) + (TopicLimits.KeptMessages * TopicEvent.HeldBytesOf(message)), fixture.Memory.UsedBytes);
        fixture.Feed.End(TopicErrors.Draining);
        Assert.Equal(0, fixture.Buffers.UsedBytes);
    }

    [Fact]
    public void Memory_limit_drops_kept_messages_instead_of_rejecting_new_ones()
    {
        // Topics may use three eighths of the buffers, which is 3 MiB.
        FeedFixture fixture = new(bufferBytes: 8 << 20);
        TopicFeed[] others = [.. Enumerable.Range(0, 20).Select(each => fixture.NewFeed($"other {each}"))];
        TopicReader stopped = fixture.Open();
        fixture.Publish("1");
        Assert.Equal(3, ((Larder.Wire.IPushSource)stopped).Read(new byte[3]));
        fixture.Publish("2");
        fixture.Publish("3");
        TopicMessage large = FeedFixture.Message(new byte[200_000]);
        foreach (TopicFeed other in others.Concat(others))
        {
            long held = TopicEvent.HeldBytesOf(large);
            Assert.True(fixture.Share.TryTake(held));
            Assert.True(other.TryPublish(large, held));
        }

        Assert.InRange(fixture.Memory.UsedBytes, 1, 3 << 20);
        Assert.True(fixture.Memory.GivenUp > 0);
        Assert.False(fixture.Share.TryTake((3 << 20) + 1));
        Assert.Equal(1, fixture.Memory.Refusals);
    }
}
