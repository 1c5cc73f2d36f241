using System.Text;
using Google.Protobuf;
using Larder.Harness.Clocks;
using Larder.Protocol;
using Larder.Server.Topics;
using Larder.Wire;
using TopicLimits = Larder.Server.Topics.TopicLimits;

namespace Larder.Server.Tests.Topics;

/// <summary>A feed without a network. Tests read from its readers in the same way as a connection.</summary>
internal sealed class FeedFixture
{
    public const ulong Page = 1_764_000_000_000;

    public FeedFixture(ulong page = Page, long bufferBytes = 256L << 20, TopicLimits? limits = null)
    {
        Buffers = new BufferBudget(bufferBytes);
        Memory = new TopicMemory(Buffers);
        Share = new TopicShare(Memory);
        Limits = limits ?? new TopicLimits();
        Feed = NewFeed("t", page);
    }

    public BufferBudget Buffers { get; }

    public TopicMemory Memory { get; }

    /// <summary>The memory share of the fixture's own cache.</summary>
    public TopicShare Share { get; }

    public TopicLimits Limits { get; }

    public ManualTime Time { get; } = new();

    public TopicClock Clock { get; } = new(TimeSpan.FromSeconds(1));

    public TopicFeed Feed { get; }

    public TopicFeed NewFeed(string topic, ulong page = Page)
    {
        Assert.True(TryNewFeed(Share, topic, out TopicFeed? feed, page));
        return feed!;
    }

    /// <summary>Creates a feed in the share of another cache. Returns false if there is not enough memory.</summary>
    public bool TryNewFeed(TopicShare share, string topic, out TopicFeed? feed, ulong page = Page)
    {
        TopicKey key = new("cache", topic);
        long ownBytes = TopicMemory.FeedBytesOf(key);
        feed = share.TryTake(ownBytes) ? new TopicFeed(key, page, Limits, share, Time, ownBytes) : null;
        return feed is not null;
    }

    /// <summary>Creates feeds in the share of another cache. Returns false if there is not enough memory for all of them.</summary>
    public bool NewFeedsOf(TopicShare share, int count, out TopicFeed[] feeds)
    {
        feeds = [.. Enumerable.Range(0, count).Select(i => TryNewFeed(share, $"{i}", out TopicFeed? feed) ? feed : null).OfType<TopicFeed>()];
        return feeds.Length == count;
    }

    public static TopicMessage Message(byte[] value)
    {
        byte[] encoded = new TopicValue { Binary = ByteString.CopyFrom(value) }.ToByteArray();
        return new TopicMessage(encoded, value.Length, "");
    }

    public static TopicMessage Message(string value) => Message(Encoding.UTF8.GetBytes(value));

    public void Publish(string value) => Publish(Message(value));

    public void Publish(int bytes) => Publish(Message(new byte[bytes]));

    public void Publish(TopicMessage message)
    {
        long held = TopicEvent.HeldBytesOf(message);
        Assert.True(Share.TryTake(held));
        Assert.True(Feed.TryPublish(message, held));
    }

    public void Publish(IEnumerable<int> numbers)
    {
        foreach (int number in numbers)
        {
            Publish($"{number}");
        }
    }

    /// <summary>Opens a reader and reads the first heartbeat.</summary>
    public TopicReader Open(ulong resumeAt = 0, ulong page = 0, bool fromNow = false)
    {
        TopicReader reader = OpenUnread(resumeAt, page, fromNow);
        byte[] heartbeat = new byte[TopicFrames.Heartbeat.Length];
        Assert.Equal(heartbeat.Length, ((IPushSource)reader).Read(heartbeat));
        Assert.Equal(TopicFrames.Heartbeat, heartbeat);
        return reader;
    }

    public TopicReader OpenUnread(ulong resumeAt = 0, ulong page = 0, bool fromNow = false)
    {
        Assert.Null(Feed.Open(new TopicStart(resumeAt, page, fromNow), Clock, out TopicReader? reader));
        return reader!;
    }

    /// <summary>Reads all data that a reader has now, like a connection with unlimited capacity.</summary>
    public static List<SubscriptionItem> ReadAll(TopicReader reader)
    {
        MemoryStream bytes = new();
        byte[] room = new byte[64 * 1024];
        int read;
        do
        {
            read = ((IPushSource)reader).Read(room);
            bytes.Write(room, 0, read);
        }
        while (read == room.Length);

        return Decode(bytes.ToArray());
    }

    /// <summary>
    /// Reads all data that a reader has now, and returns it as text: a message's number, <c>last|new</c> for a gap, <c>beat</c> for a heartbeat.
    /// </summary>
    public static string TextOf(TopicReader reader) => string.Join(' ', ReadAll(reader).Select(Text));

    public static string Text(SubscriptionItem item) => item.KindCase switch
    {
        SubscriptionItem.KindOneofCase.Item => $"{item.Item.TopicSequenceNumber}",
        SubscriptionItem.KindOneofCase.Discontinuity => $"{item.Discontinuity.LastTopicSequence}|{item.Discontinuity.NewTopicSequence}",
        _ => "beat",
    };

    public static List<SubscriptionItem> Decode(ReadOnlySpan<byte> frames)
    {
        List<SubscriptionItem> items = [];
        while (!frames.IsEmpty)
        {
            Assert.Equal(0, frames[0]);
            int length = System.Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(frames[1..]);
            items.Add(SubscriptionItem.Parser.ParseFrom(frames.Slice(5, length)));
            frames = frames[(5 + length)..];
        }

        return items;
    }
}
