using System.Text;

namespace Larder.Client;

/// <summary>
/// An event of a subscription: an <see cref="Item"/>, a <see cref="Discontinuity"/>, on request a <see cref="Heartbeat"/>, or as the last event the
/// <see cref="Error"/> that ended it.
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

        /// <summary>Gets the value, which belongs to the caller.</summary>
        public CacheValue Value { get; }

        /// <summary>Gets whether the value was published as text rather than as bytes.</summary>
        public bool IsText { get; }

        /// <summary>Gets the number of the message in its page. Numbers start at 1 and increase by one per message.</summary>
        public ulong Number { get; }

        /// <summary>Gets the page of the number. The page changes when the topic starts over.</summary>
        public ulong Page { get; }

        /// <summary>Gets the id of the token that published the message, or an empty string.</summary>
        public string PublisherId { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Item {Number} ({Value})";
    }

    /// <summary>Messages are missing or the topic has started over. The server no longer kept the messages, or this reader was too slow.</summary>
    public sealed class Discontinuity : TopicEvent
    {
        internal Discontinuity(ulong last, ulong next, ulong page)
        {
            Last = last;
            Next = next;
            Page = page;
        }

        /// <summary>Gets the number before the gap: that of the last message received or skipped, or 0.</summary>
        public ulong Last { get; }

        /// <summary>Gets the number of the next message.</summary>
        public ulong Next { get; }

        /// <summary>Gets the page of the next message.</summary>
        public ulong Page { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Discontinuity ({Last} to {Next})";
    }

    /// <summary>The stream is alive.</summary>
    public sealed class Heartbeat : TopicEvent
    {
        internal static readonly Heartbeat Instance = new();

        private Heartbeat()
        {
        }
    }

    /// <summary>The subscription failed in a way that retrying does not fix. This is the last event.</summary>
    public sealed class Error : TopicEvent
    {
        internal Error(CacheError failure) => Failure = failure;

        /// <summary>Gets the error.</summary>
        public CacheError Failure { get; }

        /// <summary>Gets the error code. Base decisions on it.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>Gets a one-line description with all details, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
