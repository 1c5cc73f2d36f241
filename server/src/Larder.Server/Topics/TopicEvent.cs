namespace Larder.Server.Topics;

/// <summary>An event for all subscribers of a topic. It is either a message or a discontinuity. It is encoded only once. Immutable.</summary>
/// <param name="Index">The position of the event in the feed. Positions start at 1 and have no gaps. Readers find events by their index.</param>
/// <param name="At">The position of the message in the topic. For a discontinuity, the position after which messages continue.</param>
/// <param name="IsItem">Whether the event is a message.</param>
/// <param name="Frame">The encoded <c>SubscriptionItem</c> with its header of 5 bytes.</param>
/// <param name="ValueBytes">The size of the message's value in bytes; 0 for a discontinuity.</param>
/// <param name="Total">
/// The total size of all values from the start of the feed up to and including this event. The difference between the totals of two events is the size of the
/// values between them.
/// </param>
/// <param name="HeldBytes">The memory reserved for the event in <see cref="TopicMemory"/>.</param>
internal sealed record TopicEvent(long Index, TopicPosition At, bool IsItem, byte[] Frame, int ValueBytes, long Total, long HeldBytes)
{
    // The memory of an event in addition to its value and publisher ID: the object, the header of its array, its slot in the feed, and the encoding.
    private const int Overhead = 128 + TopicFrames.MaxOverhead;

    // The maximum number of UTF-8 bytes per UTF-16 code unit.
    private const int BytesPerCharacter = 3;

    /// <summary>Returns the memory to reserve for a message.</summary>
    public static long HeldBytesOf(in TopicMessage message) => Overhead + message.Value.Length + (BytesPerCharacter * message.PublisherId.Length);
}
