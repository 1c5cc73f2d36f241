using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>
/// Limits the memory of all topics together. The limit is a fraction of the server's buffer budget. The memory counts towards both. One cache may use all of
/// the memory as long as no other cache needs any. When the limit is reached, the memory of the cache that uses the most is reduced in favour of a cache that
/// uses less. Its messages that are kept for resuming are dropped first, then its topics without subscribers, then its topics with subscribers. A cache that
/// uses as much as any other cache drops its own messages. If it has no kept messages left, its request is rejected.
/// </summary>
/// <param name="buffers">The server's buffer budget.</param>
internal sealed class TopicMemory(BufferBudget buffers)
{
    // The memory of a feed without messages: the object, the smallest ring, the sets and the table entries.
    private const int FeedBytes = 1_024;

    // The buffer budget has other users, which may take memory that was just released. To limit the number of messages that are dropped in vain, at most this
    // multiple of the requested size is released.
    private const int MaxFailedPasses = 2;

    // 3/8 of the buffer budget. The budget counts as tight if 1/2 or more is used, so topics alone do not make it tight.
    private readonly BufferBudget _budget = new(buffers.LimitBytes / 8 * 3);

    // The lock protects the shares that have at least one feed, and their lists. To release memory, the feeds of a list are tried in order. Each attempt on a
    // feed that keeps messages drops at least one message. A single publish may therefore try many feeds with few messages, but all publishes together drop no
    // more messages than were published.
    private readonly Lock _lock = new();
    private readonly HashSet<TopicShare> _shares = [];
    private long _givenUp;

    /// <summary>Gets the totals of the topics that have ended.</summary>
    public TopicTotals Ended { get; } = new();

    public long LimitBytes => _budget.LimitBytes;

    /// <summary>Gets the number of bytes in use.</summary>
    public long UsedBytes => _budget.UsedBytes;

    /// <summary>Gets the number of requests for memory that were rejected since startup.</summary>
    public long Refusals => _budget.Refusals;

    /// <summary>Gets the number of messages that were dropped to release memory since startup.</summary>
    public long GivenUp => Volatile.Read(ref _givenUp);

    /// <summary>Returns the memory of a feed without messages, including its names, in bytes.</summary>
    public static long FeedBytesOf(TopicKey key) => FeedBytes + (sizeof(char) * (key.Cache.Length + key.Topic.Length));

    /// <summary>
    /// Reserves memory for a share. Returns false if no memory is left and nothing can be dropped to release memory. The caller must not hold the lock of a
    /// feed.
    /// </summary>
    public bool TryTake(TopicShare share, long bytes)
    {
        if (TryTakeNow(share, bytes))
        {
            return true;
        }

        TopicShare? victim = null;
        long given = 0;
        while (bytes <= LimitBytes && given < MaxFailedPasses * bytes)
        {
            // The victim is not determined in every iteration, because there may be many caches. When the share itself is the victim, it remains the victim.
            if (victim is null || (victim != share && !IsLarger(victim, share, bytes)))
            {
                victim = FindVictim(share, bytes);
            }

            if (!TryDropMessages(victim, isOther: victim != share, ref given))
            {
                break;
            }

            if (TryTakeNow(share, bytes))
            {
                return true;
            }
        }

        _budget.CountRefusal();
        return false;
    }

    /// <summary>Releases memory that a share has reserved.</summary>
    public void Give(TopicShare share, long bytes)
    {
        share.Count(-bytes);
        _budget.Give(bytes);
        buffers.Give(bytes);
    }

    /// <summary>Adds a new feed without subscribers. The feed stays until <see cref="Remove"/> is called.</summary>
    public void Add(TopicShare share, LinkedListNode<TopicFeed> place)
    {
        lock (_lock)
        {
            _shares.Add(share);
            share.Idle.AddLast(place);
        }
    }

    /// <summary>
    /// Moves a feed between the lists of feeds with and without subscribers. Call this when the feed gets its first subscriber or loses its last one.
    /// </summary>
    public void Move(TopicShare share, LinkedListNode<TopicFeed> place, bool isFollowed)
    {
        lock (_lock)
        {
            place.List!.Remove(place);
            (isFollowed ? share.Followed : share.Idle).AddLast(place);
        }
    }

    /// <summary>Removes a feed that has ended.</summary>
    public void Remove(TopicShare share, LinkedListNode<TopicFeed> place)
    {
        lock (_lock)
        {
            place.List!.Remove(place);
            if (share.Idle.Count + share.Followed.Count == 0)
            {
                _shares.Remove(share);
            }
        }
    }

    /// <summary>
    /// Adds a feed to the list of feeds with kept messages, which may be dropped for other feeds. Must be called only once before <see cref="Leave"/> is
    /// called.
    /// </summary>
    public void Join(TopicShare share, LinkedListNode<TopicFeed> place)
    {
        lock (_lock)
        {
            share.FeedsWithMessages.AddLast(place);
        }
    }

    /// <summary>Removes a feed that no longer keeps messages from the list of feeds with kept messages.</summary>
    public void Leave(TopicShare share, LinkedListNode<TopicFeed> place)
    {
        lock (_lock)
        {
            share.FeedsWithMessages.Remove(place);
        }
    }

    private bool TryTakeNow(TopicShare share, long bytes)
    {
        if (!_budget.TryTake(bytes))
        {
            return false;
        }

        if (buffers.TryTake(bytes))
        {
            share.Count(bytes);
            return true;
        }

        _budget.Give(bytes);
        return false;
    }

    // Returns whether the victim would still be at least as large as the share after the transfer. Otherwise, two caches could take memory from each other
    // forever.
    private static bool IsLarger(TopicShare victim, TopicShare share, long bytes) => victim.UsedBytes - bytes >= share.UsedBytes + bytes;

    // Returns the largest share if its memory must be reduced; otherwise the share itself.
    private TopicShare FindVictim(TopicShare share, long bytes)
    {
        lock (_lock)
        {
            TopicShare largest = share;
            foreach (TopicShare other in _shares)
            {
                if (other.UsedBytes > largest.UsedBytes)
                {
                    largest = other;
                }
            }

            return IsLarger(largest, share, bytes) ? largest : share;
        }
    }

    // Drops messages or a topic of the victim. Returns false if there is nothing to drop. If a share releases memory for itself, topics are not dropped.
    private bool TryDropMessages(TopicShare victim, bool isOther, ref long given)
    {
        if (Next(victim.FeedsWithMessages) is { } keeping)
        {
            (long messages, long bytes) = keeping.DropOlderHalf();
            Interlocked.Add(ref _givenUp, messages);
            given += bytes;
            return true;
        }

        TopicFeed? idle = isOther ? Next(victim.Idle) : null;
        TopicFeed? ended = idle ?? (isOther ? Next(victim.Followed) : null);
        if (ended is null)
        {
            return false;
        }

        // If the feed got a subscriber in the meantime, it is not removed. It is then no longer in the list of idle feeds.
        if (idle is not null ? idle.TryForget(TimeSpan.Zero) : ended.End(TopicErrors.GaveWay))
        {
            given += ended.OwnBytes;
            victim.NoteEnded();
        }

        return true;
    }

    private TopicFeed? Next(LinkedList<TopicFeed> feeds)
    {
        lock (_lock)
        {
            if (feeds.First is not { } first)
            {
                return null;
            }

            feeds.Remove(first);
            feeds.AddLast(first);
            return first.Value;
        }
    }
}
