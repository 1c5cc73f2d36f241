using Larder.Client.Topics;

namespace Larder.Client;

/// <summary>
/// A subscription to a topic: an asynchronous stream of <see cref="TopicEvent"/>s. The subscription starts when the first event is requested, for example by
/// <c>await foreach</c>. Each enumeration is a separate subscription. The subscription reconnects automatically and resumes at its position. A gap is reported
/// once, as a <see cref="TopicEvent.Discontinuity"/>. The enumeration never throws for failures of the server or the network. If a failure cannot be fixed by a
/// retry, the last event is a <see cref="TopicEvent.Error"/>. The enumeration ends without an exception when it is abandoned, when its token is cancelled
/// (<c>WithCancellation</c>) or when the client is closed.
/// <para>
/// Unread messages wait at the server, except for up to 256 KB in transit. If a reader is so slow that the server removes unread messages, the reader gets a
/// discontinuity. A lost stream is detected only while the reader waits for an event. An enumerator that is neither read to its end nor disposed keeps its
/// stream open until the client is closed.
/// </para>
/// </summary>
public sealed class TopicSubscription : IAsyncEnumerable<TopicEvent>
{
    private readonly Subscriptions _owner;
    private readonly TimeSpan _requestTimeout;
    private readonly CacheError? _refusal;

    internal TopicSubscription(Subscriptions owner, string cache, string topic, SubscribeOptions options, TimeSpan requestTimeout, CacheError? refusal)
    {
        _owner = owner;
        _requestTimeout = requestTimeout;
        _refusal = refusal;
        Cache = cache;
        Topic = topic;
        Options = options;
    }

    /// <summary>Gets the name of the cache.</summary>
    public string Cache { get; }

    /// <summary>Gets the name of the topic.</summary>
    public string Topic { get; }

    /// <summary>Gets the options.</summary>
    public SubscribeOptions Options { get; }

    /// <summary>Starts an enumeration of the events. <c>await foreach</c> calls this method.</summary>
    /// <param name="cancellationToken">A token that ends the enumeration without an exception.</param>
    public IAsyncEnumerator<TopicEvent> GetAsyncEnumerator(CancellationToken cancellationToken = default) => _refusal is null
        ? new SubscriptionReader(_owner, Cache, Topic, Options, _requestTimeout, cancellationToken)
        : new RefusedSubscription(_refusal);
}
