using Larder.Server.Calls;

namespace Larder.Server.Topics;

/// <summary>
/// Where messages get their numbers and are kept: this server's memory, or an engine behind a front. Whatever it is, subscribers follow a local
/// <see cref="TopicFeed"/>, which it fills.
/// </summary>
internal interface ITopicBroker
{
    /// <summary>Gives a message its number, and keeps it. Those of one caller that waits for each keep their order.</summary>
    /// <param name="topic">A cache's valid name, and a valid one of a topic; whether there is the cache is the broker's to say.</param>
    /// <param name="message">Valid until the task completes.</param>
    /// <param name="remaining">The time that the caller still has; null: as long as it takes.</param>
    /// <returns>Null once the message has its number; otherwise why not.</returns>
    ValueTask<CallError?> PublishAsync(TopicKey topic, TopicMessage message, TimeSpan? remaining);

    /// <summary>The topic's feed, made where there is none, holding what is kept of the topic and getting what comes.</summary>
    /// <param name="topic">As above.</param>
    /// <param name="remaining">As above.</param>
    /// <returns>The feed, or why there is none. One that has ended since refuses its readers, and is asked for again.</returns>
    ValueTask<(TopicFeed? Feed, CallError? Error)> FollowAsync(TopicKey topic, TimeSpan? remaining);

    /// <summary>The feeds that there are, for figures and for what is done to each now and then.</summary>
    IEnumerable<TopicFeed> Feeds { get; }
}
