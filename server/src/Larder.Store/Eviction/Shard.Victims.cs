namespace Larder.Store;

/// <summary>Selects the next segment to empty, and remembers which keys were evicted.</summary>
internal sealed unsafe partial class Shard
{
    // The number of hits in the small queue that promote an entry to the main queue.
    private const int PromotionHits = 1;

    // The number of expired entries visited before a segment is selected. A segment contains about as many entries.
    private const int ExpiryBudgetPerVictim = 2048;

    // The fraction of the shard's memory that large entries without a hit may use.
    private const int ProbationFraction = 8;

    // The minimum share of dead space for which a segment is compacted. The second value is used if the alternative is eviction.
    private const double WorthCompacting = 1.0 / 4;
    private const double WorthCompactingWhenFull = 1.0 / 8;

    // The fraction of the used memory that may be dead while memory is not low.
    private const int DeadAllowedFraction = 4;

    // The number of large entries with hits that are skipped before one of them is evicted regardless of its hits.
    private const int MaxRelinks = 256;

    private GhostFilter? _ghosts;
    private int _ghostsRefusedFor;
    private bool _openedSinceLook;

    /// <summary>Selects the next segment to empty.</summary>
    /// <param name="full">Whether memory must be freed, if necessary by eviction.</param>
    private bool PickVictim(bool full)
    {
        if (full)
        {
            ReclaimExpired(_parts.Clock.NowMs, ExpiryBudgetPerVictim);
        }

        int best = SegmentWithMostDead(full ? WorthCompactingWhenFull : WorthCompacting, out long deadBytes);
        long enough = full ? (HeldBytes - _blocks.HeldBytes) / 16 : AllowedDeadBytes;
        if (best != 0 && deadBytes >= enough)
        {
            return Take(best, compact: true);
        }

        return full && PickEvicted();
    }

    /// <summary>
    /// Returns whether there is too much dead space. Checks this only once for each opened segment, and otherwise returns false, so that frequent calls are
    /// cheap.
    /// </summary>
    private bool MayNeedCompaction()
    {
        if (!_openedSinceLook)
        {
            return false;
        }

        _openedSinceLook = false;
        return HasExcessDeadBytes;
    }

    private bool HasExcessDeadBytes => UsedBytes - LiveBytes > AllowedDeadBytes;

    private long UsedBytes => _heap.HeldBytes - _heap.IdleBytes;

    /// <summary>
    /// The dead space that is allowed while memory is not low: a quarter of the used memory. If the shard contains little data, up to half of the live bytes is
    /// allowed. With so few segments, none of them has much more dead space than the others, and copying would cost more than the unused memory.
    /// </summary>
    private long AllowedDeadBytes =>
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

    /// <summary>
    /// Returns the sealed segment with the largest share of dead space, or 0 if no share reaches <paramref name="most"/>. <paramref name="deadBytes"/> is the
    /// dead space of all sealed segments.
    /// </summary>
    private int SegmentWithMostDead(double most, out long deadBytes)
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
            else if (!_heap[number].Single || round >= MaxRelinks || !KeepsAllEntries(number))
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
        // A single entry may exceed the limit. Without the second condition, it would be evicted before it could be read.
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

    /// <summary>
    /// Keeps an entry that has its own segment, without copying the entry. The segment becomes the newest segment of the main queue. Returns false, and changes
    /// nothing, if the entry was not hit or was flushed.
    /// </summary>
    private bool KeepsAllEntries(int number)
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

    /// <summary>Returns the queue for a new entry. A key that is written again soon after its eviction is added to the main queue.</summary>
    private QueueKind QueueOfNew(uint hash) => _ghosts is not null && _ghosts.Take(hash) ? QueueKind.Main : QueueKind.Small;

    /// <summary>
    /// Remembers an evicted key. Keys that were evicted from the main queue are not remembered. If they were, all keys could return to the main queue and evict
    /// each other. This would happen if callers repeatedly accessed the same sequence of keys, and the entries were slightly larger than the memory.
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

    // The memory for the filter is reserved in advance, so that remembering evicted keys never requires freeing memory.
    private long ReservedForGhosts => Math.Max(0, GhostFilter.BytesFor(_entries) - (_ghosts?.Bytes ?? 0));

    // Replaces the filter by a larger one. If the operating system refuses the memory, the current filter stays in use until a replacement is tried again for
    // the next victim.
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
