using System.Text;

namespace Larder.Client;

/// <summary>
/// An event of a subscription: an <see cref="Item"/>, a <see cref="Discontinuity"/>, a <see cref="Heartbeat"/> if heartbeats were requested, or an
/// <see cref="Error"/>, which is the last event.
/// </summary>
public abstract class TopicEvent
{
    private TopicEvent()
    {
    }

    /// <summary>Returns the type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>A published message.</summary>
    public sealed class Item : TopicEvent
    {
        internal Item(byte[] value, bool isText, ulong number, ulong page, string publisherId)
        {
            Value = new CacheValue(value);
            IsText = isText;
            Number = number;
            Page = page;
            PublisherId = publisherId;
        }

        /// <summary>Gets the value. It is not shared with other callers.</summary>
        public CacheValue Value { get; }

        /// <summary>Gets whether the value was published as text. If false, it was published as bytes.</summary>
        public bool IsText { get; }

        /// <summary>Gets the sequence number of the message within its page. Sequence numbers start at 1 and increase by 1 with each message.</summary>
        public ulong Number { get; }

        /// <summary>Gets the page to which the sequence number belongs. When the sequence numbers of a topic restart at 1, the topic gets a new page.</summary>
        public ulong Page { get; }

        /// <summary>Gets the id of the token with which the message was published. Empty if the token has no id.</summary>
        public string PublisherId { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Item {Number} ({Value})";
    }

    /// <summary>
    /// Reports a gap: messages are missing, or the topic's sequence numbers have restarted. Messages are missing if the server no longer has them, for example
    /// because the reader was too slow.
    /// </summary>
    public sealed class Discontinuity : TopicEvent
    {
        internal Discontinuity(ulong last, ulong next, ulong page)
        {
            Last = last;
            Next = next;
            Page = page;
        }

        /// <summary>
        /// Gets the sequence number of the last message before the gap, or 0 if there is no such message. The subscription has received or skipped
        /// that message.
        /// </summary>
        public ulong Last { get; }

        /// <summary>Gets the sequence number of the next message.</summary>
        public ulong Next { get; }

        /// <summary>
        /// Gets the page to which the sequence number <see cref="Next"/> belongs. After a restart, the server starts a new page, in which sequence numbers
        /// start at 1 again.
        /// </summary>
        public ulong Page { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Discontinuity ({Last} to {Next})";
    }

    /// <summary>Reports that the server has sent a heartbeat. A heartbeat shows that the stream is alive.</summary>
    public sealed class Heartbeat : TopicEvent
    {
        internal static readonly Heartbeat Instance = new();

        private Heartbeat()
        {
        }
    }

    /// <summary>Reports that the subscription failed with an error that a retry cannot fix. This is the last event.</summary>
    public sealed class Error : TopicEvent
    {
        internal Error(CacheError failure) => Failure = failure;

        /// <summary>Gets the error.</summary>
        public CacheError Failure { get; }

        /// <summary>Gets the error code. Use this code, and not the message, to decide how to handle the error.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>Gets a one-line description with all details, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
