using System.Text;

namespace Larder.Client;

/// <summary>
/// What a subscription tells: an <see cref="Item"/>, a <see cref="Discontinuity"/>, on request a <see cref="Heartbeat"/>, or as its last the <see
/// cref="Error"/> that ended it.
/// </summary>
public abstract class TopicEvent
{
    private TopicEvent()
    {
    }

    /// <summary>The event's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>A message that was published.</summary>
    public sealed class Item : TopicEvent
    {
        private readonly byte[] _value;

        internal Item(byte[] value, bool isText, ulong number, ulong page, string publisherId)
        {
            _value = value;
            IsText = isText;
            Number = number;
            Page = page;
            PublisherId = publisherId;
        }

        /// <summary>The value's bytes; the caller's own copy.</summary>
        public ReadOnlyMemory<byte> Value => _value;

        /// <summary>The value as text: its bytes read as UTF-8.</summary>
        public string ValueString => Encoding.UTF8.GetString(_value);

        /// <summary>Whether it was published as text rather than as bytes.</summary>
        public bool IsText { get; }

        /// <summary>Its number in the topic's page: from 1, one more for each message.</summary>
        public ulong Number { get; }

        /// <summary>The page that counts it: another one where the topic has begun anew.</summary>
        public ulong Page { get; }

        /// <summary>The id of the token that published it; empty: it has none.</summary>
        public string PublisherId { get; }

        /// <summary>The value's bytes as an array, which the caller may keep and change.</summary>
        public byte[] ToArray() => _value;

        /// <inheritdoc/>
        public override string ToString() => $"Item {Number} ({_value.Length} bytes)";
    }

    /// <summary>Messages are missing, or the topic has begun anew: they were no longer kept, or this reader was too slow for the server to wait.</summary>
    public sealed class Discontinuity : TopicEvent
    {
        internal Discontinuity(ulong last, ulong next, ulong page)
        {
            Last = last;
            Next = next;
            Page = page;
        }

        /// <summary>The number before the gap: the last that came, or that was skipped; 0: none.</summary>
        public ulong Last { get; }

        /// <summary>The number that comes next.</summary>
        public ulong Next { get; }

        /// <summary>The page of what comes next.</summary>
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

    /// <summary>The subscription failed in a way that trying again does not mend: the last event.</summary>
    public sealed class Error : TopicEvent, ICacheFailure
    {
        internal Error(CacheError failure) => Failure = failure;

        /// <inheritdoc/>
        public CacheError Failure { get; }

        /// <summary>What went wrong: decide by this.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>The whole story in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
