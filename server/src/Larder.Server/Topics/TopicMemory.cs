using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>
/// Limits the memory of all topics together: a part of the server's buffer budget, where it is also accounted. One cache may use all of it as long as
/// no other needs any. At the limit, the cache that uses the most is reduced in favour of one that uses less: first its messages kept for resuming,
/// then its topics without subscribers, then those with subscribers. A cache that uses as much as any other drops its own messages, and is rejected
/// once it keeps none.
/// </summary>
/// <param name="buffers">The server's buffer budget.</param>
internal sealed class TopicMemory(BufferBudget buffers)
{
    // A feed without messages: the object, its smallest ring, its sets and its table entries.
    private const int FeedBytes = 1_024;

    // Other users share the buffer budget and may take what was just released. To limit messages dropped in vain, at most this many times the
    // requested size is released.
    private const int MaxFailedPasses = 2;

    // 3/8 of the buffer budget. The budget counts as tight from 1/2 on, so topics alone do not make it tight.
    private readonly BufferBudget _budget = new(buffers.LimitBytes / 8 * 3);

    // Protected by the lock: the shares with at least one feed, and their lists. In each list, the first feed is tried next. Each attempt on a feed
    // that keeps messages drops at least one of them. A single publish may therefore try many feeds that keep little, but all publishes together drop
    // no more messages than were published.
    private readonly Lock _lock = new();
    private readonly HashSet<TopicShare> _shares = [];
    private long _givenUp;

    /// <summary>Gets the totals of topics that have ended.</summary>
    public TopicTotals Ended { get; } = new();

    public long LimitBytes => _budget.LimitBytes;

    /// <summary>Gets the number of bytes in use.</summary>
    public long UsedBytes => _budget.UsedBytes;

    /// <summary>Gets how often memory was refused since startup.</summary>
    public long Refusals => _budget.Refusals;

    /// <summary>Gets the number of messages dropped early since startup.</summary>
    public long GivenUp => Volatile.Read(ref _givenUp);

    /// <summary>Returns the memory of a feed without messages, including its names, in bytes.</summary>
    public static long FeedBytesOf(TopicKey key) => FeedBytes + (sizeof(char) * (key.Cache.Length + key.Topic.Length));

    /// <summary>
    /// Reserves memory for a share. Returns false if none is left and nothing can be dropped for it. Must not be called while holding a feed's lock.
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
            // Not in every iteration, because there may be many caches. Once the victim is the share itself, it stays so.
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

    /// <summary>Releases memory of a share.</summary>
    public void Give(TopicShare share, long bytes)
    {
        share.Count(-bytes);
        _budget.Give(bytes);
        buffers.Give(bytes);
    }

    /// <summary>Adds a new feed without subscribers, until <see cref="Remove"/>.</summary>
    public void Add(TopicShare share, LinkedListNode<TopicFeed> place)
    {
        lock (_lock)
        {
            _shares.Add(share);
            share.Idle.AddLast(place);
        }
    }

    /// <summary>Moves a feed that got its first subscriber or lost its last one.</summary>
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

    /// <summary>Adds a feed to those with kept messages, which may be dropped for others. Must be called once, until <see cref="Leave"/>.</summary>
    public void Join(TopicShare share, LinkedListNode<TopicFeed> place)
    {
        lock (_lock)
        {
            share.FeedsWithMessages.AddLast(place);
        }
    }

    /// <summary>Removes a feed that keeps no messages any more.</summary>
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

    // The difference must be so large that the victim is still no smaller afterwards. Otherwise two caches could take memory from each other in turn.
    private static bool IsLarger(TopicShare victim, TopicShare share, long bytes) => victim.UsedBytes - bytes >= share.UsedBytes + bytes;

    // Returns the largest share if it must be reduced; otherwise the share itself.
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

    // Returns false if the share has nothing to drop. A share that makes room for itself drops only messages, not topics.
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

        // A feed that has gained a subscriber in the meantime is not removed; it is no longer in the list of idle feeds.
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
