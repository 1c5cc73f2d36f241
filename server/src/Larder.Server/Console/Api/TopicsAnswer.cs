using Larder.Server.Topics;

namespace Larder.Server.Console.Api;

/// <summary><c>GET /api/topics</c>: the topics, in descending order of the number of subscribers, then of the number of messages.</summary>
/// <param name="Topics">At most <see cref="ConsoleApi.MaxTopics"/> topics.</param>
/// <param name="Total">The total number of topics.</param>
internal sealed record TopicsAnswer(IReadOnlyList<TopicAnswer> Topics, int Total)
{
    public static TopicsAnswer Of(TopicHost topics)
    {
        TopicCounters[] all = [.. topics.Broker.Feeds.Select(static feed => feed.Figures())];
        return new TopicsAnswer(
            [
                .. all.OrderByDescending(static each => each.Subscribers).ThenByDescending(static each => each.Messages)
                    .Take(ConsoleApi.MaxTopics).Select(TopicAnswer.Of),
            ],
            all.Length);
    }
}

/// <summary>One topic.</summary>
/// <param name="Cache">The cache name.</param>
/// <param name="Topic">The topic name.</param>
/// <param name="Newest">The sequence number of the newest message.</param>
/// <param name="Subscribers">The number of subscribers on this server.</param>
/// <param name="Messages">The number of messages that this server received since it created the topic.</param>
/// <param name="MessageBytes">The total size of the values of these messages in bytes.</param>
/// <param name="Deliveries">The number of messages delivered to subscribers' connections.</param>
/// <param name="Gaps">The number of discontinuities sent.</param>
/// <param name="Kept">The number of messages that the server keeps so that subscriptions can resume.</param>
/// <param name="KeptBytes">The total size of the values of the kept messages in bytes.</param>
/// <param name="SlowestBehind">The number of messages that the slowest subscriber has not received yet.</param>
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
    public static TopicAnswer Of(TopicCounters figures) => new(
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
