namespace Larder.Lab.Peers.Topics;

/// <summary>The system on which topics are measured: a publisher and any number of subscriptions to one topic.</summary>
internal interface ITopicTarget : IAsyncDisposable
{
    /// <summary>Starts this many subscriptions and returns when the server has registered them. Messages are passed to <paramref name="load"/>.</summary>
    Task FollowAsync(int subscribers, TopicLoad load);

    /// <summary>Publishes a message; completes when the peer's own call completes.</summary>
    ValueTask PublishAsync(byte[] message);
}
