namespace Larder.Client;

/// <summary>The options of a subscription: where it starts, and whether it yields heartbeats.</summary>
public sealed record SubscribeOptions
{
    internal static readonly SubscribeOptions Default = new();

    /// <summary>
    /// Gets the sequence number of the first message to receive. To continue a subscription, use the sequence number of the last received message plus 1. If
    /// the server no longer has the message with this number, the subscription yields a <see cref="TopicEvent.Discontinuity"/>. The default is 0:
    /// <see cref="From"/> applies.
    /// </summary>
    public ulong ResumeAt { get; init; }

    /// <summary>
    /// Gets the page to which the sequence number <see cref="ResumeAt"/> belongs: <see cref="TopicEvent.Item.Page"/> of the last received message. Valid only
    /// with <see cref="ResumeAt"/>. The default is 0: the topic's current page.
    /// </summary>
    public ulong Page { get; init; }

    /// <summary>Gets where the subscription starts if <see cref="ResumeAt"/> is 0. The default is <see cref="TopicStart.Newest"/>.</summary>
    public TopicStart From { get; init; }

    /// <summary>
    /// Gets whether the subscription yields a <see cref="TopicEvent.Heartbeat"/> when the server has accepted the subscription, and after each second without a
    /// message. The default is false.
    /// </summary>
    public bool Heartbeats { get; init; }

    internal CacheError? Check() =>
        Page > 0 && ResumeAt == 0 ? Invalid("Page requires ResumeAt; set ResumeAt, or leave Page at 0.")
        : From is not (TopicStart.Newest or TopicStart.Now) ? Invalid($"From must be Newest or Now, but is {From}.")
        : From == TopicStart.Now && ResumeAt > 0 ? Invalid("ResumeAt cannot be combined with From = Now.")
        : null;

    private static CacheError Invalid(string reason) => new(CacheErrorCode.InvalidArgument, reason) { Operation = "subscribe" };
}
