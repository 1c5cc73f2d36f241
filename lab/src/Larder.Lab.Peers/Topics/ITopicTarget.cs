namespace Larder.Lab.Peers.Topics;

/// <summary>What topics are measured on: a publisher and any number of subscriptions to one topic.</summary>
internal interface ITopicTarget : IAsyncDisposable
{
    /// <summary>Begins so many subscriptions; returns once the server has each. What they are given goes to <paramref name="load"/>.</summary>
    Task FollowAsync(int subscribers, TopicLoad load);

    /// <summary>Publishes a message; completes when the peer's own call does.</summary>
    ValueTask PublishAsync(byte[] message);
}
