namespace Larder.Lab.Peers.Topics;

/// <summary>A measured topic server, which is used through its client library. There is one publisher, and any number of subscriptions to one topic.</summary>
internal interface ITopicTarget : IAsyncDisposable
{
    /// <summary>
    /// Starts the given number of subscriptions and returns when the server has registered them. Messages are passed to <paramref name="load"/>.
    /// </summary>
    Task FollowAsync(int subscribers, TopicLoad load);

    /// <summary>Publishes a message. The task completes when the publish call of the peer's library completes.</summary>
    ValueTask PublishAsync(byte[] message);
}
