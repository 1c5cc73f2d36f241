namespace Larder.Client;

/// <content>Publishing to topics, and following them.</content>
public sealed partial class BoundCache
{
    /// <summary>Publishes a message to all who follow a topic: <see cref="CacheClient.PublishAsync"/>.</summary>
    /// <param name="topic">The topic: at least one character. There is nothing to make beforehand.</param>
    /// <param name="value">The value: a string travels as text, all else as bytes, and so subscribers are told.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<PublishResponse> PublishAsync(string topic, CacheBytes value, CancellationToken cancellationToken = default) =>
        _client.PublishAsync(Name, topic, value, cancellationToken);

    /// <summary>Follows a topic: <see cref="CacheClient.Subscribe"/>.</summary>
    /// <param name="topic">The topic: at least one character. It need not have a message yet.</param>
    /// <param name="options">Where to begin, and what to tell; null: with the newest message, without heartbeats.</param>
    public TopicSubscription Subscribe(string topic, SubscribeOptions? options = null) => _client.Subscribe(Name, topic, options);
}
