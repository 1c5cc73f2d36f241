using Larder.Protocol;
using Larder.Server.Topics;
using Larder.Wire;
using TopicLimits = Larder.Server.Topics.TopicLimits;

namespace Larder.Server.Tests.Topics;

/// <summary>Tests of what one subscriber receives from a feed, depending on how fast it reads.</summary>
public sealed class TopicReaderTests
{
    private readonly FeedFixture _fixture = new();

    [Fact]
    public void Fast_reader_misses_no_message_of_a_burst()
    {
        TopicReader reader = _fixture.Open();
        _fixture.Publish(Enumerable.Range(1, 900));
        Assert.Equal(string.Join(' ', Enumerable.Range(1, 900)), FeedFixture.TextOf(reader));
        Assert.Equal((900, 0), (reader.Deliveries, reader.Gaps));
    }

    [Theory]
    [InlineData(TopicLimits.QueuedMessages, false)]
    [InlineData(TopicLimits.QueuedMessages + 1, true)]
    [InlineData(TopicLimits.QueuedMessages * 10, true)]
    public void Slow_reader_misses_messages_over_its_queue_limit(int published, bool misses)
    {
        TopicReader reader = Stopped(out byte[] taken);
        _fixture.Publish(Enumerable.Range(2, published));
        List<SubscriptionItem> rest = ReadRest(reader, taken);
        int newest = published + 1;
        Assert.Equal(
            misses ? $"1 1|{newest - 1} {newest}" : string.Join(' ', Enumerable.Range(1, newest)),
            string.Join(' ', rest.Select(FeedFixture.Text)));
        Assert.Equal(misses ? 1 : 0, reader.Gaps);
    }

    [Theory]
    [InlineData(4, 0, false)]
    [InlineData(4, 1, true)]
    [InlineData(40, 0, true)]
    public void Slow_reader_misses_messages_over_its_byte_limit(int mebibytes, int more, bool misses)
    {
        TopicReader reader = Stopped(out byte[] taken);
        for (int each = 0; each < mebibytes; each++)
        {
            _fixture.Publish(1 << 20);
        }

        if (more > 0)
        {
            _fixture.Publish(more);
        }

        int newest = mebibytes + 1 + (more > 0 ? 1 : 0);
        string all = string.Join(' ', Enumerable.Range(1, newest));
        Assert.Equal(misses ? $"1 1|{newest - 1} {newest}" : all, string.Join(' ', ReadRest(reader, taken).Select(FeedFixture.Text)));
    }

    [Fact]
    public void Reader_receives_every_later_message_after_a_gap()
    {
        TopicReader reader = Stopped(out byte[] taken);
        _fixture.Publish(Enumerable.Range(2, 1_000));
        ReadRest(reader, taken);
        _fixture.Publish(Enumerable.Range(1_002, 3));
        Assert.Equal("1002 1003 1004", FeedFixture.TextOf(reader));
    }

    [Fact]
    public void Stored_messages_sent_at_resume_are_exempt_from_queue_limit()
    {
        _fixture.Publish(Enumerable.Range(1, 1_000));
        TopicReader reader = _fixture.OpenUnread(resumeAt: 1);
        List<SubscriptionItem> got = [];
        byte[] room = new byte[7];
        List<byte> bytes = [];
        int read;
        while ((read = ((IPushSource)reader).Read(room)) == room.Length)
        {
            bytes.AddRange(room);
        }

        bytes.AddRange(room[..read]);
        got.AddRange(FeedFixture.Decode([.. bytes]));
        Assert.Equal("beat " + string.Join(' ', Enumerable.Range(1, 1_000)), string.Join(' ', got.Select(FeedFixture.Text)));
    }

    [Fact]
    public void Heartbeat_is_sent_after_silence_and_postponed_by_messages()
    {
        TopicReader reader = _fixture.Open();
        Tick(_fixture.Clock.HeartbeatTicks - 1);
        Assert.Equal("", FeedFixture.TextOf(reader));
        Tick(1);
        Assert.Equal("beat", FeedFixture.TextOf(reader));
        _fixture.Publish("a");
        Tick(_fixture.Clock.HeartbeatTicks - 1);
        Assert.Equal("1", FeedFixture.TextOf(reader));
        Tick(_fixture.Clock.HeartbeatTicks - 1);
        Assert.Equal("", FeedFixture.TextOf(reader));
        Tick(1);
        Assert.Equal("beat", FeedFixture.TextOf(reader));
    }

    [Fact]
    public void Reader_receives_no_messages_published_after_it_was_ended()
    {
        TopicReader reader = _fixture.Open();
        _fixture.Publish("a");
        reader.End(TopicErrors.Draining, isAtOnce: false);
        _fixture.Publish("b");
        Tick(_fixture.Clock.HeartbeatTicks);
        Assert.Equal("1", FeedFixture.TextOf(reader));
        Assert.Same(TopicErrors.Draining, reader.Error);
    }

    [Fact]
    public void Reader_that_ends_immediately_finishes_only_the_message_in_progress()
    {
        TopicReader reader = Stopped(out byte[] taken);
        _fixture.Publish("b");
        reader.End(TopicErrors.Draining, isAtOnce: true);
        Assert.Equal("1", string.Join(' ', ReadRest(reader, taken).Select(FeedFixture.Text)));
    }

    [Fact]
    public void Delivery_does_not_allocate()
    {
        TopicReader[] readers = [.. Enumerable.Range(0, 100).Select(_ => _fixture.Open())];
        byte[] room = new byte[4_096];
        Publish();
        Deliver();
        Publish();
        long before = GC.GetAllocatedBytesForCurrentThread();
        int delivered = Deliver();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(2_000, delivered);

        void Publish() => _fixture.Publish(Enumerable.Range(0, 20));

        int Deliver()
        {
            long had = 0;
            long has = 0;
            foreach (TopicReader reader in readers)
            {
                had += reader.Deliveries;
                ((IPushSource)reader).Read(room);
                has += reader.Deliveries;
            }

            return (int)(has - had);
        }
    }

    // Returns a reader whose connection has read only a part of the first message.
    private TopicReader Stopped(out byte[] taken)
    {
        TopicReader reader = _fixture.Open();
        _fixture.Publish("1");
        taken = new byte[3];
        Assert.Equal(3, ((IPushSource)reader).Read(taken));
        return reader;
    }

    private static List<SubscriptionItem> ReadRest(TopicReader reader, byte[] taken)
    {
        List<byte> bytes = [.. taken];
        byte[] room = new byte[64 * 1024];
        int read;
        while ((read = ((IPushSource)reader).Read(room)) == room.Length)
        {
            bytes.AddRange(room);
        }

        bytes.AddRange(room[..read]);
        return FeedFixture.Decode([.. bytes]);
    }

    private void Tick(int times)
    {
        for (int each = 0; each < times; each++)
        {
            _fixture.Clock.Tick();
        }
    }
}
