using Larder.Server.Calls;
using Larder.Store;

namespace Larder.Server.Topics;

/// <summary>The topics of one cache of the memory store. Thread-safe.</summary>
internal sealed class CacheTopics(Cache cache, TopicShare share)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, TopicFeed> _feeds = new(StringComparer.Ordinal);
    private bool _hasEnded;

    /// <summary>Gets the cache. If a cache is deleted and recreated with the same name, the new cache is a different object.</summary>
    public Cache Cache => cache;

    /// <summary>Gets the memory share of the topics.</summary>
    public TopicShare Share => share;

    /// <summary>Gets the topics, except those that were ended to free memory.</summary>
    public TopicFeed[] Feeds
    {
        get
        {
            lock (_lock)
            {
                return [.. _feeds.Values.Where(static feed => !feed.HasEnded)];
            }
        }
    }

    /// <summary>Finds or creates the feed of a topic.</summary>
    /// <param name="topic">The topic.</param>
    /// <param name="limits">Contains the maximum number of topics.</param>
    /// <param name="make">Creates a feed. Returns null if there is not enough memory.</param>
    /// <param name="feed">The feed; null on failure.</param>
    /// <returns>The error; null on success.</returns>
    public CallError? TryFind(TopicKey topic, TopicLimits limits, Func<TopicKey, TopicFeed?> make, out TopicFeed? feed)
    {
        lock (_lock)
        {
            if (_feeds.TryGetValue(topic.Topic, out feed) && !feed.HasEnded)
            {
                return null;
            }

            if (feed is not null || share.TakeHasEnded())
            {
                DropEnded();
                feed = null;
            }

            if (_hasEnded)
            {
                return CallError.CacheNotFound(topic.Cache);
            }

            if (_feeds.Count >= limits.TopicsPerCache)
            {
                return TopicErrors.TooManyTopics(topic.Cache, limits.TopicsPerCache);
            }

            feed = make(topic);
            if (feed is null)
            {
                return TopicErrors.NoMemory;
            }

            _feeds.Add(topic.Topic, feed);
            return null;
        }
    }

    /// <summary>Removes topics that were not used for a long time. In the other topics, drops the old messages that no reader needs any longer.</summary>
    public void Tidy()
    {
        foreach (TopicFeed feed in Feeds)
        {
            feed.Trim();
            feed.TryForget(TopicLimits.DeletedAfterIdle);
        }

        lock (_lock)
        {
            DropEnded();
        }
    }

    /// <summary>Ends all topics because the cache was deleted.</summary>
    public void End(CallError error)
    {
        TopicFeed[] feeds;
        lock (_lock)
        {
            _hasEnded = true;
            feeds = [.. _feeds.Values];
            _feeds.Clear();
        }

        foreach (TopicFeed feed in feeds)
        {
            feed.End(error);
        }
    }

    // The caller must hold the lock.
    private void DropEnded()
    {
        foreach (TopicFeed ended in _feeds.Values.Where(static feed => feed.HasEnded).ToArray())
        {
            _feeds.Remove(ended.Key.Topic);
        }
    }
}
