namespace Larder.Server.Topics;

/// <summary>An event for all subscribers of a topic, encoded once: a message or a discontinuity. Immutable.</summary>
/// <param name="Index">The position in the feed, from 1, without gaps. Readers navigate by it.</param>
/// <param name="At">The position of the message; for a discontinuity, the position after which messages continue.</param>
/// <param name="IsItem">Whether the event is a message.</param>
/// <param name="Frame">The encoded <c>SubscriptionItem</c> with its header of 5 bytes.</param>
/// <param name="ValueBytes">The size of the message's value in bytes; 0 for a discontinuity.</param>
/// <param name="Total">
/// The total size of all values from the start of the feed up to and including this one. The difference of two totals is the size in between.
/// </param>
/// <param name="HeldBytes">The memory reserved for it in <see cref="TopicMemory"/>.</param>
internal sealed record TopicEvent(long Index, TopicPosition At, bool IsItem, byte[] Frame, int ValueBytes, long Total, long HeldBytes)
{
    // The object, the header of its array, its slot in the feed, and the encoding around value and ID.
    private const int Overhead = 128 + TopicFrames.MaxOverhead;

    // UTF-16 characters can take up to this many bytes in UTF-8.
    private const int BytesPerCharacter = 3;

    /// <summary>Returns the memory to reserve for a message.</summary>
    public static long HeldBytesOf(in TopicMessage message) => Overhead + message.Value.Length + (BytesPerCharacter * message.PublisherId.Length);
}
