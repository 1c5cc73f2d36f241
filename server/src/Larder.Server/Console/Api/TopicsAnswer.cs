using Larder.Server.Topics;

namespace Larder.Server.Console.Api;

/// <summary><c>GET /api/topics</c>: the topics, those with the most subscribers first, then those with the most messages.</summary>
/// <param name="Topics">At most <see cref="ConsoleApi.MaxTopics"/>.</param>
/// <param name="Total">How many there are.</param>
internal sealed record TopicsAnswer(IReadOnlyList<TopicAnswer> Topics, int Total)
{
    public static TopicsAnswer Of(TopicHost topics)
    {
        TopicFigures[] all = [.. topics.Broker.Feeds.Select(static feed => feed.Figures())];
        return new TopicsAnswer(
            [
                .. all.OrderByDescending(static each => each.Subscribers).ThenByDescending(static each => each.Messages)
                    .Take(ConsoleApi.MaxTopics).Select(TopicAnswer.Of),
            ],
            all.Length);
    }
}

/// <summary>One topic.</summary>
/// <param name="Cache">Its cache.</param>
/// <param name="Topic">Its name.</param>
/// <param name="Newest">The number of its newest message.</param>
/// <param name="Subscribers">Who follows it here.</param>
/// <param name="Messages">Messages since it was begun here.</param>
/// <param name="MessageBytes">Bytes of their values.</param>
/// <param name="Deliveries">Messages given to subscribers' connections.</param>
/// <param name="Gaps">Discontinuities told.</param>
/// <param name="Kept">Messages kept for resuming.</param>
/// <param name="KeptBytes">Bytes of their values.</param>
/// <param name="SlowestBehind">How many messages the slowest subscriber is behind.</param>
internal sealed record TopicAnswer(
    string Cache,
    string Topic,
    ulong Newest,
    int Subscribers,
    long Messages,
    long MessageBytes,
    long Deliveries,
    long Gaps,
    long Kept,
    long KeptBytes,
    long SlowestBehind)
{
    public static TopicAnswer Of(TopicFigures figures) => new(
        figures.Key.Cache,
        figures.Key.Topic,
        figures.Newest.Number,
        figures.Subscribers,
        figures.Messages,
        figures.MessageBytes,
        figures.Deliveries,
        figures.Gaps,
        figures.Kept,
        figures.KeptBytes,
        figures.SlowestBehind);
}
