using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Publishing to topics, and following them.</content>
public sealed partial class CacheClient
{
    /// <summary>What this client's subscriptions hold now, and have brought.</summary>
    public TopicStatistics Topics => _subscriptions.Statistics;

    /// <summary>
    /// Publishes a message to all who follow a topic of a cache, and keeps it for those who come (1,000 messages or 1 MiB, by the server's default). It is not
    /// sent again where it may have run. Messages of one caller, each awaited before the next, keep their order.
    /// <see cref="CacheErrorCode.NotFound"/> where there is no such cache; <see cref="CacheErrorCode.LimitExceeded"/> for a value over the server's limit, 1
    /// MiB.
    /// </summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="topic">The topic: at least one character. There is nothing to make beforehand.</param>
    /// <param name="value">The value: a string travels as text, all else as bytes, and so subscribers are told.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<PublishResponse> PublishAsync(string cache, string topic, CacheBytes value, CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckCache(cache) ?? Arguments.CheckTopic(topic) ?? Arguments.CheckValue(value);
        return error is null
            ? _runner.Run<PublishOperation, PublishResponse>("", new PublishOperation(cache, topic, value), _timeout, cancellationToken)
            : ValueTask.FromResult(PublishOperation.Fail(error));
    }

    /// <summary>
    /// Follows a topic of a cache: <c>await foreach (TopicEvent told in client.Subscribe("cache", "topic"))</c>. Nothing is sent before it is enumerated.
    /// </summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="topic">The topic: at least one character. It need not have a message yet.</param>
    /// <param name="options">Where to begin, and what to tell; null: with the newest message, without heartbeats.</param>
    /// <returns>
    /// The stream of events. Its last is <see cref="CacheErrorCode.InvalidArgument"/> where an argument is none, <see cref="CacheErrorCode.NotFound"/> where
    /// the cache is not there or is deleted, <see cref="CacheErrorCode.LimitExceeded"/> where the server takes no more subscriptions, what the token may not,
    /// and
    /// <see cref="CacheErrorCode.Unavailable"/> or <see cref="CacheErrorCode.Timeout"/> where nothing ever came within <see
    /// cref="Configuration.RequestTimeout"/>.
    /// </returns>
    public TopicSubscription Subscribe(string cache, string topic, SubscribeOptions? options = null)
    {
        ObjectDisposedException.ThrowIf(_runner.IsClosed, typeof(CacheClient));
        SubscribeOptions given = options ?? SubscribeOptions.Default;
        CacheError? error = CheckCache(cache) ?? Arguments.CheckTopic(topic) ?? given.Check();
        return new TopicSubscription(_subscriptions, cache, topic, given, Configuration.RequestTimeout, error);
    }
}
