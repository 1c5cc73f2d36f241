namespace Larder.Store;

/// <summary>Which segment is emptied next, and the policy's memory of what was evicted.</summary>
internal sealed unsafe partial class Shard
{
    // Hits in the small queue that take an entry to the main queue.
    private const int PromotionHits = 1;

    // Expired entries looked at before a segment is chosen: about as many entries as it holds.
    private const int ExpiryBudgetPerVictim = 2048;

    // Large entries without a hit may hold this part of the shard.
    private const int ProbationFraction = 8;

    // A segment with a smaller share of dead space than this is not worth copying the rest of; where the choice is to evict, less is worth it.
    private const double WorthCompacting = 1.0 / 4;
    private const double WorthCompactingWhenFull = 1.0 / 8;

    // Part of what is in use that is left dead while memory is not short.
    private const int DeadAllowedFraction = 4;

    // Large entries that are passed over for their hits before one goes whatever its hits are.
    private const int MaxRelinks = 256;

    private GhostFilter? _ghosts;
    private int _ghostsRefusedFor;
    private bool _openedSinceLook;

    /// <summary>Chooses the segment to empty next.</summary>
    /// <param name="full">Whether room must be made, if need be by evicting.</param>
    private bool PickVictim(bool full)
    {
        if (full)
        {
            ReclaimExpired(_parts.Clock.NowMs, ExpiryBudgetPerVictim);
        }

        int best = MostDead(full ? WorthCompactingWhenFull : WorthCompacting, out long deadBytes);
        long enough = full ? (HeldBytes - _blocks.HeldBytes) / 16 : DeadAllowed;
        if (best != 0 && deadBytes >= enough)
        {
            return Take(best, compact: true);
        }

        return full && PickEvicted();
    }

    /// <summary>Whether dead space may have become too much; asked once for each segment opened, and cheap to answer.</summary>
    private bool MayNeedCompaction()
    {
        if (!_openedSinceLook)
        {
            return false;
        }

        _openedSinceLook = false;
        return HoldsMuchDead;
    }

    private bool HoldsMuchDead => UsedBytes - LiveBytes > DeadAllowed;

    private long UsedBytes => _heap.HeldBytes - _heap.IdleBytes;

    /// <summary>
    /// Dead space that is left alone while memory is not short: a quarter of what is in use. Where the shard holds little, a third: so few
    /// segments have no emptier one to choose, and room costs less there than copying.
    /// </summary>
    private long DeadAllowed =>
        Math.Max(UsedBytes / DeadAllowedFraction, Math.Clamp(LiveBytes / 2, LowWater * (long)_heap.SmallSegmentBytes, LowWater * (long)_heap.SegmentBytes));

    private bool Take(int number, bool compact)
    {
        Unlink(number);
        _heap[number].State = SegmentState.Victim;
        _victim = number;
        _victimAt = 0;
        _victimIsCompacted = compact;
        return true;
    }

    /// <summary>The sealed segment with the largest share of dead space, if that is worth having, and the dead space of all.</summary>
    private int MostDead(double most, out long deadBytes)
    {
        int best = 0;
        deadBytes = 0;
        for (int number = 1; number < _heap.Numbered; number++)
        {
            ref readonly Segment segment = ref _heap[number];
            if (segment.State != SegmentState.Sealed || segment.Single)
            {
                continue;
            }

            int dead = segment.CapacityBytes - segment.LiveBytes;
            deadBytes += dead;
            double share = (double)dead / segment.CapacityBytes;
            if (share >= most)
            {
                best = number;
                most = share;
            }
        }

        return best;
    }

    private bool PickEvicted()
    {
        _parts.Shadow.Start(_entries * _parts.Shards);
        for (int round = 0; round < MaxRelinks + 4; round++)
        {
            QueueKind queue = QueueToEvict();
            int number = _queues[(int)queue].Oldest;
            if (number == 0)
            {
                return false;
            }

            if (_heap[number].State == SegmentState.Open)
            {
                Seal(queue);
            }
            else if (!_heap[number].Single || round >= MaxRelinks || !StaysWhole(number))
            {
                return Take(number, compact: false);
            }
        }

        return false;
    }

    private QueueKind QueueToEvict()
    {
        long heap = _maxBytes - _tableBytes - _blocks.HeldBytes;
        ref readonly SegmentQueue probation = ref _queues[(int)QueueKind.Probation];
        // One alone may be more than its share: it would go before anyone could read it.
        if (probation.LiveBytes > heap / ProbationFraction && probation.Oldest != probation.Youngest)
        {
            return QueueKind.Probation;
        }

        if (_queues[(int)QueueKind.Small].Oldest != 0 && _queues[(int)QueueKind.Small].LiveBytes > heap * _parts.Shadow.SmallTarget)
        {
            return QueueKind.Small;
        }

        return _queues[(int)QueueKind.Main].Oldest != 0 ? QueueKind.Main
            : _queues[(int)QueueKind.Small].Oldest != 0 ? QueueKind.Small
            : QueueKind.Probation;
    }

    /// <summary>An entry alone in its segment stays without being copied: the segment moves to the main queue's young end.</summary>
    private bool StaysWhole(int number)
    {
        EntryHeader* entry = _heap.EntryIn(number, 0);
        if (entry->Frequency == 0 || _parts.Spaces[entry->SpaceId].Dead)
        {
            return false;
        }

        entry->Frequency = _heap[number].Queue == QueueKind.Main ? (byte)(entry->Frequency - 1) : (byte)0;
        int live = _heap[number].LiveBytes;
        _queues[(int)_heap[number].Queue].LiveBytes -= live;
        Unlink(number);
        _queues[(int)QueueKind.Main].LiveBytes += live;
        LinkYoungest(number, QueueKind.Main);
        return true;
    }

    /// <summary>A key that came back soon after it was evicted goes to the main queue.</summary>
    private QueueKind QueueOfNew(uint hash) => _ghosts is not null && _ghosts.Take(hash) ? QueueKind.Main : QueueKind.Small;

    /// <summary>
    /// Keys that leave the main queue are not remembered: in a loop a little larger than the memory, all would come back to it, and
    /// push each other out.
    /// </summary>
    private void Remember(uint hash, QueueKind queue)
    {
        if (queue == QueueKind.Main)
        {
            return;
        }

        if (_ghosts is null || _ghosts.Capacity < _entries / 2)
        {
            ReplaceGhosts();
        }

        _ghosts?.Add(hash);
    }

    // Set aside from the start, so that remembering evicted keys never has to make room for itself.
    private long ReservedForGhosts => Math.Max(0, GhostFilter.BytesFor(_entries) - (_ghosts?.Bytes ?? 0));

    // Where the system refuses memory the present one serves on; it is asked again with the next victim.
    private void ReplaceGhosts()
    {
        if (_ghostsRefusedFor == _victim || GhostFilter.TryCreate(_parts.Pages, _entries) is not { } larger)
        {
            _ghostsRefusedFor = _victim;
            return;
        }

        _tableBytes += larger.Bytes - (_ghosts?.Bytes ?? 0);
        _ghosts?.Free();
        _ghosts = larger;
        _ghostsRefusedFor = 0;
    }
}
