using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Topics;

namespace Larder.Server.Fleet;

/// <summary>
/// The topics of a fleet. Each topic has a Redis stream that numbers and stores the messages for all gateways. A gateway reads only the streams of topics that
/// have subscribers on this gateway. It uses dedicated connections: one for each of the <see cref="FleetLimits.TopicSlots"/> slots that contains such a topic.
/// </summary>
internal sealed class RemoteTopicBroker(RemoteGateway gateway, TopicLimits limits, TopicMemory memory) : ITopicBroker, IAsyncDisposable
{
    // The maximum number of pooled publish operations. Further operations are left to the garbage collector.
    private const int IdlePublishes = 1_024;

    private readonly Stack<RemotePublish> _idle = [];
    private readonly Lock _idleLock = new();
    private readonly Lock _lock = new();

    // The key contains the ID of the cache, because a recreated cache with the same name is a different cache.
    private readonly Dictionary<long, Dictionary<string, RemoteTopic>> _topics = [];
    private readonly StreamFollower?[] _followers = new StreamFollower?[FleetLimits.TopicSlots];

    public IEnumerable<TopicFeed> Feeds => Followed().Select(static topic => topic.Feed).Where(static feed => !feed.HasEnded);

    public ValueTask<CallError?> PublishAsync(TopicKey topic, TopicMessage message, TimeSpan? remaining)
    {
        if (gateway.Find(topic.Cache, out RemoteCache? cache) is { } error)
        {
            return new(error);
        }

        return Rent().RunAsync(RemoteTopicKeys.Of(cache!, topic.Topic), message, remaining);
    }

    public async ValueTask<(TopicFeed? Feed, CallError? Error)> FollowAsync(TopicKey topic, TimeSpan? remaining)
    {
        CallError? error = gateway.Find(topic.Cache, out RemoteCache? cache);
        RemoteTopic? followed = null;
        Task<CallError?>? caughtUp = null;
        error ??= Ask(cache!, topic, out followed, out caughtUp);
        if (error is not null)
        {
            return (null, error);
        }

        TimeSpan most = remaining is { } left && left < FleetLimits.LongestCall ? left : FleetLimits.LongestCall;
        try
        {
            error = await caughtUp!.WaitAsync(most, gateway.TimeProvider).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            error = FleetErrors.NotReady;
        }

        return error is null ? (followed!.Feed, null) : (null, error);
    }

    /// <summary>Ends the topics of deleted caches.</summary>
    public void EndOrphans()
    {
        List<RemoteTopic> orphans = [];
        lock (_lock)
        {
            foreach ((long id, Dictionary<string, RemoteTopic> topics) in _topics)
            {
                if (topics.Count > 0 && gateway.Directory.Find(topics.First().Value.Feed.Key.Cache)?.Id != id)
                {
                    orphans.AddRange(topics.Values);
                    _topics.Remove(id);
                }
            }

            orphans.ForEach(Unfollow);
        }

        foreach (RemoteTopic orphan in orphans)
        {
            orphan.End(CallError.CacheNotFound(orphan.Feed.Key.Cache));
        }
    }

    /// <summary>Stops reading topics that have no subscriber on this gateway. Frees old messages that no reader needs any longer.</summary>
    public void Tidy()
    {
        foreach (RemoteTopic topic in Followed())
        {
            topic.Feed.Trim();
            lock (_lock)
            {
                topic.IdlePolls = topic.Feed.Subscribers > 0 ? 0 : topic.IdlePolls + 1;
                if (topic.Feed.HasEnded || (topic.IdlePolls > FleetLimits.TopicIdlePolls && topic.Feed.TryForget(TimeSpan.Zero)))
                {
                    Drop(topic);
                }
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (StreamFollower follower in _followers.OfType<StreamFollower>())
        {
            await follower.DisposeAsync().ConfigureAwait(false);
        }
    }

    // The lookup and the request happen under the same lock, so that the topic cannot be dropped in between.
    private CallError? Ask(RemoteCache cache, TopicKey key, out RemoteTopic? topic, out Task<CallError?>? caughtUp)
    {
        caughtUp = null;
        lock (_lock)
        {
            if (TryFind(cache, key, out topic) is { } error)
            {
                return error;
            }

            topic!.IdlePolls = 0;
            caughtUp = topic.WhenCaughtUp();
            int index = topic.Keys.Index;
            (_followers[index] ??= gateway.Store.Follow(RemoteTopicKeys.Slot(index))).Add(topic);
            return null;
        }
    }

    // The caller must hold the lock.
    private CallError? TryFind(RemoteCache cache, TopicKey key, out RemoteTopic? topic)
    {
        topic = null;
        if (!_topics.TryGetValue(cache.Id, out Dictionary<string, RemoteTopic>? ofCache))
        {
            ofCache = new Dictionary<string, RemoteTopic>(StringComparer.Ordinal);
        }
        else if (ofCache.TryGetValue(key.Topic, out topic) && !topic.Feed.HasEnded)
        {
            return null;
        }

        TopicShare share = ofCache.Values.FirstOrDefault()?.Feed.Share ?? new TopicShare(memory);
        if (topic is not null || share.TakeHasEnded())
        {
            foreach (RemoteTopic ended in ofCache.Values.Where(static each => each.Feed.HasEnded).ToArray())
            {
                Drop(ended);
            }
        }

        topic = null;
        if (ofCache.Count >= limits.TopicsPerCache)
        {
            return TopicErrors.TooManyTopics(key.Cache, limits.TopicsPerCache);
        }

        RemoteTopicKeys keys = RemoteTopicKeys.Of(cache, key.Topic);
        long ownBytes = TopicMemory.FeedBytesOf(key) + keys.Stream.Length + keys.Place.Length;
        if (!share.TryTake(ownBytes))
        {
            return TopicErrors.NoMemory;
        }

        topic = new RemoteTopic(cache.Id, keys, new TopicFeed(key, 0, limits, share, gateway.TimeProvider, ownBytes));
        ofCache.Add(key.Topic, topic);
        _topics[cache.Id] = ofCache;
        return null;
    }

    // The caller must hold the lock. The feed has ended, because it was idle or because its memory was given to a topic of another cache.
    private void Drop(RemoteTopic topic)
    {
        Unfollow(topic);
        topic.End(FleetErrors.NotReady);
        if (_topics.TryGetValue(topic.CacheId, out Dictionary<string, RemoteTopic>? ofCache)
            && ofCache.TryGetValue(topic.Feed.Key.Topic, out RemoteTopic? listed)
            && listed == topic)
        {
            ofCache.Remove(topic.Feed.Key.Topic);
            if (ofCache.Count == 0)
            {
                _topics.Remove(topic.CacheId);
            }
        }
    }

    // The caller must hold the lock.
    private void Unfollow(RemoteTopic topic) => _followers[topic.Keys.Index]?.Remove(topic);

    private RemoteTopic[] Followed()
    {
        lock (_lock)
        {
            return [.. _topics.Values.SelectMany(static each => each.Values)];
        }
    }

    private RemotePublish Rent()
    {
        lock (_idleLock)
        {
            if (_idle.TryPop(out RemotePublish? idle))
            {
                return idle;
            }
        }

        return new RemotePublish(gateway, GiveBack);
    }

    private void GiveBack(RemotePublish publish)
    {
        lock (_idleLock)
        {
            if (_idle.Count < IdlePublishes)
            {
                _idle.Push(publish);
            }
        }
    }
}
