using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>
/// What the messages of all topics may hold: a part of what the server's buffers may, and counted there too. At its bound messages kept for resuming are
/// let go, of one topic after another, before anything is refused.
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
    private readonly Lock _lock = new();

    // Those that keep something, under the lock; the first is asked next. Each look lets a message go, which was published once: a publish looks at many
    // where they keep little, and all publishes together at no more than they published.
    private readonly LinkedList<TopicFeed> _feeds = [];
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

    /// <summary>Takes bytes; false where there are none left, and nothing that can be let go. Not under a feed's lock.</summary>
    public bool TryTake(long bytes)
    {
        if (TryTakeNow(bytes))
        {
            return true;
        }

        long given = 0;
        while (bytes <= LimitBytes && given < MostInVain * bytes && NextFeed() is { } feed)
        {
            (long messages, long givenBytes) = feed.GiveUpHalf();
            Interlocked.Add(ref _givenUp, messages);
            given += givenBytes;
            if (TryTakeNow(bytes))
            {
                return true;
            }
        }

        _budget.CountRefusal();
        return false;
    }

    /// <summary>Gives bytes back.</summary>
    public void Give(long bytes)
    {
        _budget.Give(bytes);
        buffers.Give(bytes);
    }

    /// <summary>A feed has something to keep, which may be let go for another's. Once, until <see cref="Leave"/>.</summary>
    public void Join(LinkedListNode<TopicFeed> place)
    {
        lock (_lock)
        {
            _feeds.AddLast(place);
        }
    }

    /// <summary>A feed has nothing any more.</summary>
    public void Leave(LinkedListNode<TopicFeed> place)
    {
        lock (_lock)
        {
            _feeds.Remove(place);
        }
    }

    private bool TryTakeNow(long bytes)
    {
        if (!_budget.TryTake(bytes))
        {
            return false;
        }

        if (buffers.TryTake(bytes))
        {
            return true;
        }

        _budget.Give(bytes);
        return false;
    }

    private TopicFeed? NextFeed()
    {
        lock (_lock)
        {
            if (_feeds.First is not { } first)
            {
                return null;
            }

            _feeds.Remove(first);
            _feeds.AddLast(first);
            return first.Value;
        }
    }
}
