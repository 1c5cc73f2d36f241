using Larder.Server.Calls;

namespace Larder.Server.Topics;

/// <summary>Who follows a feed, and where they begin.</summary>
internal sealed partial class TopicFeed
{
    /// <summary>Lets somebody follow from where it wants to.</summary>
    /// <param name="start">Where that is.</param>
    /// <param name="clock">Says when it is due a heartbeat.</param>
    /// <param name="reader">Its reader, until <see cref="Leave"/>; its <see cref="TopicReader.Position"/> is what may come first.</param>
    /// <returns>Why not; null where it may. The feed may have ended: then neither.</returns>
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

    /// <summary>It follows no longer.</summary>
    public void Leave(TopicReader reader)
    {
        lock (_lock)
        {
            if (_readers.Remove(reader))
            {
                // Of a feed that has ended what they had then was taken in.
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

    /// <summary>Where somebody begins with the newest message, or with the next where that is not kept: its index, and the place before it.</summary>
    public (long Index, TopicPosition Before) BeforeNewest()
    {
        lock (_lock)
        {
            return _keptFrom <= _newestIndex && Find(_newestIndex) is { IsItem: true }
                ? (_newestIndex, _newest with { Number = _newest.Number - 1 })
                : (_newestIndex + 1, _newest);
        }
    }

    /// <summary>Those who follow now.</summary>
    public TopicReader[] Readers()
    {
        lock (_lock)
        {
            return [.. _readers];
        }
    }

    /// <summary>What is told of it.</summary>
    public TopicFigures Figures()
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

            return new TopicFigures
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

    // Under the lock.
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

    // From the newest message where it is kept. After a gap the subscriber is told how many it misses.
    private TopicReader AtNewest(TopicClock clock, ulong? gapAfter)
    {
        (long index, TopicPosition before) = BeforeNewest();
        byte[]? gap = gapAfter is { } last ? TopicFrames.Discontinuity(last, before) : null;
        return new TopicReader(this, clock, index, before with { Number = before.Number + 1 }, gap);
    }

    // The index of a number of the present page; null where it is not kept. Numbers rise with the index; a gap stands where they jump.
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
