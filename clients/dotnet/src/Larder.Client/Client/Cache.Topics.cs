using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Publishing to topics and subscribing to them.</content>
public sealed partial class Cache
{
    /// <summary>
    /// Publishes a message to all subscribers of a topic. The server keeps the latest messages of a topic for later subscribers, by default at most 1,000
    /// messages and at most 1 MiB of values. The call is not retried if the server may have published the message. If a caller awaits each call before it makes
    /// the next one, subscribers receive the messages in the order of the calls. The call fails with <see cref="CacheErrorCode.NotFound"/> if the cache does
    /// not exist, and with <see cref="CacheErrorCode.LimitExceeded"/> if the value exceeds the server's limit of 1 MiB.
    /// </summary>
    /// <param name="topic">The name of the topic: at least one character. A topic does not have to be created.</param>
    /// <param name="value">The value. Subscribers receive a string as text and any other value as bytes.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> PublishAsync(string topic, CacheBytes value, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckTopic(topic) ?? Arguments.CheckValue(value);
        return error is null
            ? _runner.Run<PublishOperation, CacheResult>("", new PublishOperation(Name, topic, value), _timeout, cancellationToken)
            : ValueTask.FromResult(PublishOperation.Fail(error));
    }

    /// <summary>
    /// Subscribes to a topic: <c>await foreach (TopicEvent received in cache.Subscribe("topic"))</c>. Nothing is sent to the server before the subscription is
    /// enumerated.
    /// </summary>
    /// <param name="topic">The name of the topic: at least one character. A topic does not have to be created.</param>
    /// <param name="options">
    /// Where to start, and whether to return heartbeats. If null, the subscription starts at the newest message, without heartbeats.
    /// </param>
    /// <returns>
    /// The stream of events. Its last event is an error if the subscription cannot continue: <see cref="CacheErrorCode.InvalidArgument"/> for an invalid
    /// argument, <see cref="CacheErrorCode.NotFound"/> if the cache does not exist or is deleted, <see cref="CacheErrorCode.LimitExceeded"/> if the server
    /// accepts no more subscriptions, <see cref="CacheErrorCode.PermissionDenied"/> if the token does not permit the subscription, or
    /// <see cref="CacheErrorCode.Unavailable"/> or <see cref="CacheErrorCode.Timeout"/> if the server sent nothing within <see cref="Timeout"/> after the start
    /// of the subscription.
    /// </returns>
    public TopicSubscription Subscribe(string topic, SubscribeOptions? options = null)
    {
        ObjectDisposedException.ThrowIf(_runner.IsClosed, typeof(CacheClient));
        SubscribeOptions given = options ?? SubscribeOptions.Default;
        CacheError? error = _invalidName ?? Arguments.CheckTopic(topic) ?? given.Check();
        return new TopicSubscription(_client.Subscriptions, Name, topic, given, Timeout, error);
    }
}
