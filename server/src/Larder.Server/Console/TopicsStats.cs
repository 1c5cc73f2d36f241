using Larder.Server.Topics;

namespace Larder.Server.Console;

/// <summary>All topics together. Of a front: those that it serves now.</summary>
internal sealed record TopicsStats
{
    public required long Topics { get; init; }

    public required long Subscribers { get; init; }

    /// <summary>Messages published, and the bytes of their values, since the start; of a front those that it was told of.</summary>
    public required long Messages { get; init; }

    /// <inheritdoc cref="Messages"/>
    public required long MessageBytes { get; init; }

    /// <summary>Messages given to subscribers' connections, since the start.</summary>
    public required long Deliveries { get; init; }

    /// <summary>Discontinuities told, since the start.</summary>
    public required long Gaps { get; init; }

    /// <summary>How many messages the slowest subscriber of all is behind.</summary>
    public required long SlowestBehind { get; init; }

    /// <summary>What messages may hold, and hold, in bytes.</summary>
    public required long LimitBytes { get; init; }

    /// <inheritdoc cref="LimitBytes"/>
    public required long UsedBytes { get; init; }

    /// <summary>Kept messages that were let go at that limit before their time, since the start.</summary>
    public required long GivenUp { get; init; }

    /// <summary>Messages and topics refused at that limit, since the start.</summary>
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
            TopicFigures figures = feed.Figures();
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
