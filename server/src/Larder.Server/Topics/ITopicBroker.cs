using Larder.Server.Calls;

namespace Larder.Server.Topics;

/// <summary>
/// Numbers and stores messages: in this server's memory, or in Redis behind a gateway. In both cases it fills a local <see cref="TopicFeed"/>, which
/// subscribers read.
/// </summary>
internal interface ITopicBroker
{
    /// <summary>Numbers and stores a message. Messages of a caller that waits for each call keep their order.</summary>
    /// <param name="topic">A valid cache name and topic name. The broker checks whether the cache exists.</param>
    /// <param name="message">The message; valid until the task completes.</param>
    /// <param name="remaining">The remaining time of the call; null for no limit.</param>
    /// <returns>Null once the message has its number; otherwise the error.</returns>
    ValueTask<CallError?> PublishAsync(TopicKey topic, TopicMessage message, TimeSpan? remaining);

    /// <summary>Finds or creates the feed of a topic, which contains the kept messages and receives new ones.</summary>
    /// <param name="topic">A valid cache name and topic name. The broker checks whether the cache exists.</param>
    /// <param name="remaining">The remaining time of the call; null for no limit.</param>
    /// <returns>The feed or an error. If the feed has ended in the meantime, it rejects readers, and the caller must request it again.</returns>
    ValueTask<(TopicFeed? Feed, CallError? Error)> FollowAsync(TopicKey topic, TimeSpan? remaining);

    /// <summary>Gets the existing feeds, for statistics and periodic maintenance.</summary>
    IEnumerable<TopicFeed> Feeds { get; }
}
