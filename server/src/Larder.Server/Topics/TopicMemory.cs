using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>
/// What the messages of all topics may hold: a part of what the server's buffers may, and counted there too. At its bound messages kept for resuming are
/// let go, of one topic after another, before anything is refused.
/// </summary>
/// <param name="buffers">What the server may hold beside its store.</param>
internal sealed class TopicMemory(BufferBudget buffers)
{
    // A feed without messages: itself, its smallest ring, its sets, its name and its place in tables.
    public const int FeedBytes = 1_024;

    // Looked at for one message. What they give up is half of what they keep, so a full share is met seldom, and a publish never looks at thousands.
    private const int MostLooked = 64;

    // Three eighths of the buffers: with them alone those are not tight, which they are from a half up.
    private readonly BufferBudget _budget = new(buffers.LimitBytes / 8 * 3);
    private readonly Lock _lock = new();

    // Under the lock; the first is asked next.
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

    /// <summary>Takes bytes; false where there are none left, and nothing that can be let go. Not under a feed's lock.</summary>
    public bool TryTake(long bytes)
    {
        if (TryTakeNow(bytes))
        {
            return true;
        }

        for (int looked = 0; bytes <= LimitBytes && looked < MostLooked && NextFeed() is { } feed; looked++)
        {
            Interlocked.Add(ref _givenUp, feed.GiveUpHalf());
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

    /// <summary>A feed takes part; what it keeps may be let go for another's.</summary>
    public LinkedListNode<TopicFeed> Join(TopicFeed feed)
    {
        lock (_lock)
        {
            return _feeds.AddLast(feed);
        }
    }

    /// <summary>A feed has ended.</summary>
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

            _feeds.RemoveFirst();
            _feeds.AddLast(first);
            return first.Value;
        }
    }
}
