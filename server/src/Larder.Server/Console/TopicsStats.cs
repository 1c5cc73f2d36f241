using Larder.Server.Topics;

namespace Larder.Server.Console;

/// <summary>Statistics of all topics. On a gateway, they include only the topics that the gateway serves now.</summary>
internal sealed record TopicsStats
{
    public required long Topics { get; init; }

    public required long Subscribers { get; init; }

    /// <summary>
    /// Gets the number of messages published since startup, and the total size of their values in bytes. On a gateway, both values include only the messages
    /// that this gateway received.
    /// </summary>
    public required long Messages { get; init; }

    /// <inheritdoc cref="Messages"/>
    public required long MessageBytes { get; init; }

    /// <summary>Gets the number of messages delivered to subscribers' connections since startup.</summary>
    public required long Deliveries { get; init; }

    /// <summary>Gets the number of discontinuities sent since startup.</summary>
    public required long Gaps { get; init; }

    /// <summary>Gets the number of messages that the slowest subscriber has not received yet. The subscribers of all topics are compared.</summary>
    public required long SlowestBehind { get; init; }

    /// <summary>Gets the limit and the current usage of the memory for messages, in bytes.</summary>
    public required long LimitBytes { get; init; }

    /// <inheritdoc cref="LimitBytes"/>
    public required long UsedBytes { get; init; }

    /// <summary>Gets the number of messages since startup that were dropped earlier than usual because the memory limit was reached.</summary>
    public required long GivenUp { get; init; }

    /// <summary>Gets the number of messages and topics that were rejected since startup because the memory limit was reached.</summary>
    public required long Refusals { get; init; }

    public static TopicsStats Of(TopicHost topics)
    {
        long count = 0;
        long subscribers = 0;
        long slowest = 0;
        TopicTotals totals = topics.Memory.Ended;
        long messages = totals.Messages;
        long bytes = totals.MessageBytes;
        long deliveries = totals.Deliveries;
        long gaps = totals.Gaps;
        foreach (TopicFeed feed in topics.Broker.Feeds)
        {
            TopicCounters figures = feed.Figures();
            count++;
            subscribers += figures.Subscribers;
            slowest = Math.Max(slowest, figures.SlowestBehind);
            messages += figures.Messages;
            bytes += figures.MessageBytes;
            deliveries += figures.Deliveries;
            gaps += figures.Gaps;
        }

        return new TopicsStats
        {
            Topics = count,
            Subscribers = subscribers,
            Messages = messages,
            MessageBytes = bytes,
            Deliveries = deliveries,
            Gaps = gaps,
            SlowestBehind = slowest,
            LimitBytes = topics.Memory.LimitBytes,
            UsedBytes = topics.Memory.UsedBytes,
            GivenUp = topics.Memory.GivenUp,
            Refusals = topics.Memory.Refusals,
        };
    }
}
