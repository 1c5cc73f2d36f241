using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Publishing to topics and subscribing to them.</content>
public sealed partial class Cache
{
    /// <summary>
    /// Publishes a message to all subscribers of a topic. The server keeps the latest messages of a topic for later subscribers (1,000 messages or 1 MiB by
    /// default). The call is not retried if it may have run. If a caller awaits each call, its messages keep their order. The call fails with
    /// <see cref="CacheErrorCode.NotFound"/> if the cache does not exist, and with <see cref="CacheErrorCode.LimitExceeded"/> if the value exceeds the server's
    /// limit of 1 MiB.
    /// </summary>
    /// <param name="topic">The topic: at least one character. It need not be created.</param>
    /// <param name="value">The value. Subscribers receive a string as text and anything else as bytes.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> PublishAsync(string topic, CacheBytes value, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckTopic(topic) ?? Arguments.CheckValue(value);
        return error is null
            ? _runner.Run<PublishOperation, CacheResult>("", new PublishOperation(Name, topic, value), _timeout, cancellationToken)
            : ValueTask.FromResult(PublishOperation.Fail(error));
    }

    /// <summary>
    /// Subscribes to a topic: <c>await foreach (TopicEvent received in cache.Subscribe("topic"))</c>. Nothing is sent before it is enumerated.
    /// </summary>
    /// <param name="topic">The topic: at least one character. It need not have a message yet.</param>
    /// <param name="options">Where to start, and which events to return. The default is to start at the newest message, without heartbeats.</param>
    /// <returns>
    /// The stream of events. Its last event is an error if the subscription cannot continue: <see cref="CacheErrorCode.InvalidArgument"/> for an invalid
    /// argument, <see cref="CacheErrorCode.NotFound"/> if the cache does not exist or is deleted, <see cref="CacheErrorCode.LimitExceeded"/> if the server
    /// accepts no more subscriptions, a missing permission, or <see cref="CacheErrorCode.Unavailable"/> or <see cref="CacheErrorCode.Timeout"/> if nothing
    /// was received within <see cref="Timeout"/>.
    /// </returns>
    public TopicSubscription Subscribe(string topic, SubscribeOptions? options = null)
    {
        ObjectDisposedException.ThrowIf(_runner.IsClosed, typeof(CacheClient));
        SubscribeOptions given = options ?? SubscribeOptions.Default;
        CacheError? error = _invalidName ?? Arguments.CheckTopic(topic) ?? given.Check();
        return new TopicSubscription(_client.Subscriptions, Name, topic, given, Timeout, error);
    }
}
