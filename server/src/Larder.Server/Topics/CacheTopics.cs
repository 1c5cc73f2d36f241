using Larder.Server.Calls;
using Larder.Store;

namespace Larder.Server.Topics;

/// <summary>The topics of one cache of the memory store. Safe from any thread.</summary>
internal sealed class CacheTopics(Cache cache, TopicShare share)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, TopicFeed> _feeds = new(StringComparer.Ordinal);
    private bool _hasEnded;

    /// <summary>The cache: one of the same name that is made again is another.</summary>
    public Cache Cache => cache;

    /// <summary>What they hold of the memory for topics.</summary>
    public TopicShare Share => share;

    /// <summary>The topics, but those that have ended to make room.</summary>
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

    /// <summary>A topic's feed, made where there is none.</summary>
    /// <param name="topic">Which.</param>
    /// <param name="limits">The bound on topics.</param>
    /// <param name="make">Makes one; null: there is no memory.</param>
    /// <param name="feed">It.</param>
    /// <returns>Why there is none.</returns>
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

    /// <summary>Forgets what nobody has used for long, and trims the others.</summary>
    public void Tidy()
    {
        foreach (TopicFeed feed in Feeds)
        {
            feed.Trim();
            feed.TryForget(TopicLimits.ForgottenAfter);
        }

        lock (_lock)
        {
            DropEnded();
        }
    }

    /// <summary>Ends all of them: the cache is gone.</summary>
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

    // Under the lock.
    private void DropEnded()
    {
        foreach (TopicFeed ended in _feeds.Values.Where(static feed => feed.HasEnded).ToArray())
        {
            _feeds.Remove(ended.Key.Topic);
        }
    }
}
