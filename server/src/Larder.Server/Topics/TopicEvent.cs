namespace Larder.Server.Topics;

/// <summary>
/// One thing that every subscriber of a topic gets, encoded once: a message, or a gap that all have. It does not change.
/// </summary>
/// <param name="Index">Its place in the feed, from 1, without a gap: what readers go by.</param>
/// <param name="At">The message's place; of a gap, the place after which messages go on.</param>
/// <param name="IsItem">Whether it is a message.</param>
/// <param name="Frame">What travels: a <c>SubscriptionItem</c> with its five bytes of header.</param>
/// <param name="ValueBytes">The message's value in bytes; 0 of a gap.</param>
/// <param name="Total">Bytes of values up to this one's end, since the feed began: the difference of two is what lies between them.</param>
/// <param name="HeldBytes">What was taken for it of <see cref="TopicMemory"/>.</param>
internal sealed record TopicEvent(long Index, TopicPosition At, bool IsItem, byte[] Frame, int ValueBytes, long Total, long HeldBytes)
{
    // The object, its array's head, its place in the feed, and what travels beside value and id.
    private const int Overhead = 128 + TopicFrames.MostOverhead;

    // Characters of UTF-16 that become bytes of UTF-8.
    private const int BytesPerCharacter = 3;

    /// <summary>What is taken for a message.</summary>
    public static long HeldBytesOf(in TopicMessage message) => Overhead + message.Value.Length + (BytesPerCharacter * message.PublisherId.Length);
}
