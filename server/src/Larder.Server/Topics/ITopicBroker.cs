using Larder.Server.Calls;

namespace Larder.Server.Topics;

/// <summary>
/// Numbers and stores messages. The messages are stored in the memory of this server or, on a gateway, in Redis. In both cases the broker adds the messages to
/// a local <see cref="TopicFeed"/>, which subscribers read.
/// </summary>
internal interface ITopicBroker
{
    /// <summary>Numbers and stores a message. If a caller waits for each call before the next, its messages keep their order.</summary>
    /// <param name="topic">A valid cache name and topic name. The broker checks whether the cache exists.</param>
    /// <param name="message">The message. It must stay valid until the task completes.</param>
    /// <param name="remaining">The time until the deadline of the call; null for no deadline.</param>
    /// <returns>Null when the message has its number; otherwise the error.</returns>
    ValueTask<CallError?> PublishAsync(TopicKey topic, TopicMessage message, TimeSpan? remaining);

    /// <summary>Finds or creates the feed of a topic. The feed contains the kept messages and receives new messages.</summary>
    /// <param name="topic">A valid cache name and topic name. The broker checks whether the cache exists.</param>
    /// <param name="remaining">The time until the deadline of the call; null for no deadline.</param>
    /// <returns>The feed or an error. If the feed has ended in the meantime, it rejects readers. The caller must then call this method again.</returns>
    ValueTask<(TopicFeed? Feed, CallError? Error)> FollowAsync(TopicKey topic, TimeSpan? remaining);

    /// <summary>Gets the existing feeds. Used for statistics and periodic maintenance.</summary>
    IEnumerable<TopicFeed> Feeds { get; }
}
