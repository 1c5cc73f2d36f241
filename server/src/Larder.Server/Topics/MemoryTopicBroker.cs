using System.Collections.Concurrent;
using Larder.Server.Calls;
using Larder.Store;

namespace Larder.Server.Topics;

/// <summary>The topics of the memory store. Each topic exists only as a feed. The feed also assigns the numbers of the messages.</summary>
internal sealed class MemoryTopicBroker(CacheStore store, TopicLimits limits, TopicMemory memory, TimeProvider time) : ITopicBroker
{
    private readonly ConcurrentDictionary<string, CacheTopics> _caches = new(StringComparer.Ordinal);
    private long _lastPage;

    public IEnumerable<TopicFeed> Feeds => _caches.Values.SelectMany(static each => each.Feeds);

    public async ValueTask<CallError?> PublishAsync(TopicKey topic, TopicMessage message, TimeSpan? remaining)
    {
        while (true)
        {
            if (TryFind(topic, out TopicFeed? feed) is { } error)
            {
                return error;
            }

            long heldBytes = TopicEvent.HeldBytesOf(message);
            if (!feed!.Share.TryTake(heldBytes))
            {
                return TopicErrors.NoMemory;
            }

            if (feed.TryPublish(message, heldBytes))
            {
                await feed.WaitForRoundAsync().ConfigureAwait(false);
                return null;
            }

            // In the meantime, the topic was removed or its cache was deleted.
            feed.Share.Give(heldBytes);
        }
    }

    public ValueTask<(TopicFeed? Feed, CallError? Error)> FollowAsync(TopicKey topic, TimeSpan? remaining)
    {
        CallError? error = TryFind(topic, out TopicFeed? feed);
        return new((feed, error));
    }

    /// <summary>Ends the topics of deleted caches.</summary>
    public void EndOrphans()
    {
        foreach ((string name, CacheTopics topics) in _caches)
        {
            if (store.Find(name) != topics.Cache)
            {
                Drop(name, topics);
            }
        }
    }

    /// <summary>Removes unused topics. Drops old messages that no reader needs any longer.</summary>
    public void Tidy()
    {
        foreach (CacheTopics topics in _caches.Values)
        {
            topics.Tidy();
        }
    }

    private CallError? TryFind(TopicKey topic, out TopicFeed? feed)
    {
        feed = null;
        if (store.Find(topic.Cache) is not { } cache)
        {
            return CallError.CacheNotFound(topic.Cache);
        }

        CacheTopics topics = TopicsOf(cache);
        if (topics.Cache != cache)
        {
            Drop(topic.Cache, topics);
            topics = TopicsOf(cache);
        }

        return topics.TryFind(topic, limits, key => Make(key, topics.Share), out feed);
    }

    private CacheTopics TopicsOf(Cache cache) =>
        _caches.GetOrAdd(cache.Name, static (_, made) => new CacheTopics(made.Cache, new TopicShare(made.Memory)), (Cache: cache, Memory: memory));

    private TopicFeed? Make(TopicKey topic, TopicShare share)
    {
        long ownBytes = TopicMemory.FeedBytesOf(topic);
        return share.TryTake(ownBytes) ? new TopicFeed(topic, NextPage(), limits, share, time, ownBytes) : null;
    }

    private void Drop(string name, CacheTopics topics)
    {
        _caches.TryRemove(new(name, topics));
        topics.End(CallError.CacheNotFound(name));
    }

    // Returns the wall-clock time in milliseconds, or the previous result plus 1 if the time is not later than the previous result.
    private ulong NextPage()
    {
        long now = time.GetUtcNow().ToUnixTimeMilliseconds();
        while (true)
        {
            long last = Volatile.Read(ref _lastPage);
            long next = Math.Max(now, last + 1);
            if (Interlocked.CompareExchange(ref _lastPage, next, last) == last)
            {
                return (ulong)next;
            }
        }
    }
}
