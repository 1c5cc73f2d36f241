using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>
/// What the topics of all caches may hold: a part of what the server's buffers may, and counted there too. One cache may hold all of it while no other cache
/// wants any. At the bound, the cache that holds the most gives way to one that holds less: first the messages that it keeps for resuming, then its topics
/// without subscribers, then those with. A cache that holds as much as any other lets go of its own messages, and is refused once it keeps none.
/// </summary>
/// <param name="buffers">What the server may hold beside its store.</param>
internal sealed class TopicMemory(BufferBudget buffers)
{
    // A feed without messages: itself, its smallest ring, its sets and its place in tables.
    private const int FeedBytes = 1_024;

    // The buffers are others' too, who may take what was given back for a message: no more than this many times its size is let go in vain.
    private const int MostInVain = 2;

    // Three eighths of the buffers: with them alone those are not tight, which they are from a half up.
    private readonly BufferBudget _budget = new(buffers.LimitBytes / 8 * 3);

    // Under the lock: the shares that have a feed, and the lists in them. In each list the first is asked next. Each look at one that keeps something lets a
    // message go, which was published once: a publish looks at many where they keep little, and all publishes together at no more than they published.
    private readonly Lock _lock = new();
    private readonly HashSet<TopicShare> _shares = [];
    private long _givenUp;

    /// <summary>What topics that are no more have counted.</summary>
    public TopicTotals Ended { get; } = new();

    /// <summary>The bound in bytes.</summary>
    public long LimitBytes => _budget.LimitBytes;

    /// <summary>Bytes taken.</summary>
    public long UsedBytes => _budget.UsedBytes;

    /// <summary>How often there was none to be had, since the start.</summary>
    public long Refusals => _budget.Refusals;

    /// <summary>Messages that were let go before their time, since the start.</summary>
    public long GivenUp => Volatile.Read(ref _givenUp);

    /// <summary>What a feed without messages holds, its names among it.</summary>
    public static long FeedBytesOf(TopicKey key) => FeedBytes + (sizeof(char) * (key.Cache.Length + key.Topic.Length));

    /// <summary>Takes bytes for a share; false if none are left and nothing can be let go for them. Not under a feed's lock.</summary>
    public bool TryTake(TopicShare share, long bytes)
    {
        if (TryTakeNow(share, bytes))
        {
            return true;
        }

        TopicShare? victim = null;
        long given = 0;
        while (bytes <= LimitBytes && given < MostInVain * bytes)
        {
            // Not at each step: there may be many caches. Once it is the share itself, it stays so.
            if (victim is null || (victim != share && !IsLarger(victim, share, bytes)))
            {
                victim = FindVictim(share, bytes);
            }

            if (!TryGiveUp(victim, isOther: victim != share, ref given))
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

    /// <summary>Gives bytes of a share back.</summary>
    public void Give(TopicShare share, long bytes)
    {
        share.Count(-bytes);
        _budget.Give(bytes);
        buffers.Give(bytes);
    }

    /// <summary>A feed begins, without subscribers; until <see cref="Remove"/>.</summary>
    public void Add(TopicShare share, LinkedListNode<TopicFeed> place)
    {
        lock (_lock)
        {
            _shares.Add(share);
            share.Idle.AddLast(place);
        }
    }

    /// <summary>A feed has its first subscriber, or none any more.</summary>
    public void Move(TopicShare share, LinkedListNode<TopicFeed> place, bool isFollowed)
    {
        lock (_lock)
        {
            place.List!.Remove(place);
            (isFollowed ? share.Followed : share.Idle).AddLast(place);
        }
    }

    /// <summary>A feed has ended.</summary>
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

    /// <summary>A feed has something to keep, which may be let go for another's. Once, until <see cref="Leave"/>.</summary>
    public void Join(TopicShare share, LinkedListNode<TopicFeed> place)
    {
        lock (_lock)
        {
            share.Keeping.AddLast(place);
        }
    }

    /// <summary>A feed has nothing any more.</summary>
    public void Leave(TopicShare share, LinkedListNode<TopicFeed> place)
    {
        lock (_lock)
        {
            share.Keeping.Remove(place);
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

    // Larger by so much that it is no smaller than the other afterwards: two caches never take from each other in turn.
    private static bool IsLarger(TopicShare victim, TopicShare share, long bytes) => victim.UsedBytes - bytes >= share.UsedBytes + bytes;

    // The largest share, if it is to give way; otherwise the share itself.
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

    // False: there is nothing that it can let go. Of a cache that lets go for itself only messages go.
    private bool TryGiveUp(TopicShare victim, bool isOther, ref long given)
    {
        if (Next(victim.Keeping) is { } keeping)
        {
            (long messages, long bytes) = keeping.GiveUpHalf();
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

        // One that has a subscriber since is not forgotten, and is not among the idle ones any more.
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
