using Larder.Client.Topics;

namespace Larder.Client;

/// <summary>
/// A subscription to a topic: an asynchronous stream of <see cref="TopicEvent"/>s. It starts when the first event is requested, as <c>await foreach</c> does,
/// and each enumeration is a separate subscription. It reconnects automatically and resumes at its position; a gap is reported once, as a
/// <see cref="TopicEvent.Discontinuity"/>. It never throws for failures of the server or the network. If retrying does not fix a failure, the last event is a
/// <see cref="TopicEvent.Error"/>. It ends without an exception when the enumeration is abandoned, when its token is cancelled (<c>WithCancellation</c>) or
/// when the client is closed.
/// <para>
/// It requests only what its reader takes: unread messages wait at the server, except for 256 KB in transit. If a reader is too slow for what the server keeps,
/// it gets a discontinuity. While no event is requested, a lost stream is not detected. An enumerator that is neither read to its end nor disposed keeps its
/// stream until the client is closed.
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

    /// <summary>Starts a subscription; <c>await foreach</c> calls this.</summary>
    /// <param name="cancellationToken">A token that ends the enumeration without an exception.</param>
    public IAsyncEnumerator<TopicEvent> GetAsyncEnumerator(CancellationToken cancellationToken = default) => _refusal is null
        ? new SubscriptionReader(_owner, Cache, Topic, Options, _requestTimeout, cancellationToken)
        : new RefusedSubscription(_refusal);
}
