using Larder.Server.Calls;

namespace Larder.Server.Topics;

/// <summary>The subscribers of a feed and their starting positions.</summary>
internal sealed partial class TopicFeed
{
    /// <summary>Adds a subscriber.</summary>
    /// <param name="start">The requested starting position.</param>
    /// <param name="clock">Determines when a heartbeat is due.</param>
    /// <param name="reader">
    /// The reader, which is valid until <see cref="Leave"/> is called. Its <see cref="TopicReader.Position"/> is the position of the first message that it can
    /// receive. Null if there is an error or the feed has ended.
    /// </param>
    /// <returns>The error; null on success. Also null if the feed has ended.</returns>
    public CallError? Open(TopicStart start, TopicClock clock, out TopicReader? reader)
    {
        reader = null;
        lock (_lock)
        {
            if (_hasEnded)
            {
                return null;
            }

            if (_readers.Count >= _limits.SubscribersPerTopic)
            {
                return TopicErrors.TooManySubscribers(_limits.SubscribersPerTopic);
            }

            reader = OpenAt(start, clock);
            _readers.Add(reader);
            if (_readers.Count == 1)
            {
                _share.Memory.Move(_share, _place, isFollowed: true);
            }

            return null;
        }
    }

    /// <summary>Removes a subscriber.</summary>
    public void Leave(TopicReader reader)
    {
        lock (_lock)
        {
            if (_readers.Remove(reader))
            {
                // If the feed has ended, the counts of its readers have already been added to the totals.
                if (_hasEnded)
                {
                    return;
                }

                _endedDeliveries += reader.Deliveries;
                _endedGaps += reader.Gaps;
                _usedAt = _time.GetTimestamp();
                if (_readers.Count == 0)
                {
                    _share.Memory.Move(_share, _place, isFollowed: false);
                }
            }
        }
    }

    /// <summary>
    /// Returns the start of a reader that starts with the newest message: the index of that message, and the position before it. If the newest message is not
    /// kept, the reader starts with the next message.
    /// </summary>
    public (long Index, TopicPosition Before) BeforeNewest()
    {
        lock (_lock)
        {
            return _keptFrom <= _newestIndex && Find(_newestIndex) is { IsItem: true }
                ? (_newestIndex, _newest with { Number = _newest.Number - 1 })
                : (_newestIndex + 1, _newest);
        }
    }

    public TopicReader[] Readers()
    {
        lock (_lock)
        {
            return [.. _readers];
        }
    }

    public TopicCounters Figures()
    {
        lock (_lock)
        {
            long behind = 0;
            long deliveries = _endedDeliveries;
            long gaps = _endedGaps;
            foreach (TopicReader reader in _readers)
            {
                behind = Math.Max(behind, _newestIndex + 1 - reader.NextIndex);
                deliveries += reader.Deliveries;
                gaps += reader.Gaps;
            }

            return new TopicCounters
            {
                Key = Key,
                Newest = _newest,
                Subscribers = _readers.Count,
                Messages = _messages,
                MessageBytes = _messageBytes,
                Deliveries = deliveries,
                Gaps = gaps,
                Kept = _newestIndex - _keptFrom + 1,
                KeptBytes = _keptBytes,
                SlowestBehind = behind,
            };
        }
    }

    // The caller must hold the lock.
    private TopicReader OpenAt(TopicStart start, TopicClock clock)
    {
        if (start.FromNow)
        {
            return AfterNewest(clock);
        }

        if (start.ResumeAt == 0)
        {
            return AtNewest(clock, gapAfter: null);
        }

        if (start.Page == 0 || start.Page == _newest.Page)
        {
            if (start.ResumeAt - 1 == _newest.Number)
            {
                return AfterNewest(clock);
            }

            if (KeptAt(start.ResumeAt) is { } index)
            {
                return new TopicReader(this, clock, index, new TopicPosition(_newest.Page, start.ResumeAt), gap: null);
            }
        }

        return AtNewest(clock, gapAfter: start.ResumeAt - 1);
    }

    private TopicReader AfterNewest(TopicClock clock) =>
        new(this, clock, _newestIndex + 1, _newest with { Number = _newest.Number + 1 }, gap: null);

    // Returns a reader that starts at the newest message if that message is kept. If the subscriber has missed messages, it first receives a discontinuity.
    private TopicReader AtNewest(TopicClock clock, ulong? gapAfter)
    {
        (long index, TopicPosition before) = BeforeNewest();
        byte[]? gap = gapAfter is { } last ? TopicFrames.Discontinuity(last, before) : null;
        return new TopicReader(this, clock, index, before with { Number = before.Number + 1 }, gap);
    }

    // Returns the index of the message that has this number in the current page; null if the message is not kept. This is a binary search: numbers increase
    // with the index. Between two messages whose numbers are not consecutive, the feed contains a discontinuity.
    private long? KeptAt(ulong number)
    {
        long low = _keptFrom;
        long high = _newestIndex;
        while (low <= high)
        {
            long middle = low + ((high - low) / 2);
            TopicEvent found = Find(middle)!;
            if (found.At.Number < number || (found.At.Number == number && !found.IsItem))
            {
                low = middle + 1;
            }
            else if (found.At.Number == number)
            {
                return middle;
            }
            else
            {
                high = middle - 1;
            }
        }

        return null;
    }
}
