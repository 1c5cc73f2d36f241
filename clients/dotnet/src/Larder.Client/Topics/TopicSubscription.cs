using Larder.Client.Topics;

namespace Larder.Client;

/// <summary>
/// A topic that is followed: an asynchronous stream of <see cref="TopicEvent"/>s. It begins with the first event that is asked for, as <c>await foreach</c>
/// does at once, and each enumeration is a subscription of its own. It connects again by itself and goes on where it was; a gap is told once, by a
/// <see cref="TopicEvent.Discontinuity"/>. It never throws for what the server or the network does: what trying again does not mend is one last
/// <see cref="TopicEvent.Error"/>. Where it is left, its token is cancelled (<c>WithCancellation</c>) or the client is closed, it ends, and throws nothing.
/// <para>
/// It asks the server for no more than its reader takes: what is not read waits there, 256 KB of it on the way. A reader that is too slow for what the server
/// keeps is told of a gap. While nobody asks for the next event, a lost stream is not noticed. An enumerator that is neither read to its end nor disposed of
/// keeps its stream until the client is closed.
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

    /// <summary>The cache's name.</summary>
    public string Cache { get; }

    /// <summary>The topic's name.</summary>
    public string Topic { get; }

    /// <summary>Where it begins, and what it tells.</summary>
    public SubscribeOptions Options { get; }

    /// <summary>Begins to read; <c>await foreach</c> calls it.</summary>
    /// <param name="cancellationToken">Ends the enumeration; it throws nothing.</param>
    public IAsyncEnumerator<TopicEvent> GetAsyncEnumerator(CancellationToken cancellationToken = default) => _refusal is null
        ? new SubscriptionReader(_owner, Cache, Topic, Options, _requestTimeout, cancellationToken)
        : new RefusedSubscription(_refusal);
}
