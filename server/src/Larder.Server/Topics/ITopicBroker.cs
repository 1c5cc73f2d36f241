using Larder.Server.Calls;

namespace Larder.Server.Topics;

/// <summary>
/// Assigns numbers to messages and stores them. The messages are stored in the memory of this server or, on a gateway, in Redis. In both cases the broker adds
/// the messages to a local <see cref="TopicFeed"/>, which subscribers read.
/// </summary>
internal interface ITopicBroker
{
    /// <summary>
    /// Assigns a number to a message and stores it. A caller that needs its messages in order must wait for each call before it makes the next one.
    /// </summary>
    /// <param name="topic">A valid cache name and topic name. The broker checks whether the cache exists.</param>
    /// <param name="message">The message. It must stay valid until the task completes.</param>
    /// <param name="remaining">The time until the deadline of the call; null for no deadline.</param>
    /// <returns>The error; null if the message was stored.</returns>
    ValueTask<CallError?> PublishAsync(TopicKey topic, TopicMessage message, TimeSpan? remaining);

    /// <summary>Finds or creates the feed of a topic. The feed contains the kept messages and receives new messages.</summary>
    /// <param name="topic">A valid cache name and topic name. The broker checks whether the cache exists.</param>
    /// <param name="remaining">The time until the deadline of the call; null for no deadline.</param>
    /// <returns>The feed or an error. If the feed has ended in the meantime, it rejects readers. The caller must then call this method again.</returns>
    ValueTask<(TopicFeed? Feed, CallError? Error)> FollowAsync(TopicKey topic, TimeSpan? remaining);

    /// <summary>Gets the existing feeds. Used for statistics and periodic maintenance.</summary>
    IEnumerable<TopicFeed> Feeds { get; }
}
