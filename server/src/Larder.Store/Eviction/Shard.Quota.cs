namespace Larder.Store;

/// <summary>
/// Evicts entries of a cache that exceeds its quota, with the clock algorithm. A hand moves around the segments that contain entries of the cache, a few
/// entries at a time. An entry that was hit since the last visit stays, and its number of hits decreases by one. Otherwise, the entry is removed in place.
/// Entries of other caches are skipped.
/// </summary>
internal sealed unsafe partial class Shard
{
    private int _trimNumber = 1;
    private int _trimOffset;

    /// <summary>Performs one step of the clock algorithm: visits a limited number of entries, as long as the space exceeds its quota.</summary>
    /// <returns>True if the space still has entries in this shard.</returns>
    public bool Trim(Space space)
    {
        _waiting.Enter();
        try
        {
            _work = 0;
            for (int entries = StepEntries; entries > 0 && HoldsAny(space) && space.IsOverQuota; entries--)
            {
                _work++;
                TrimOne(space);
            }

            _mostWork = Math.Max(_mostWork, _work);
            return HoldsAny(space);
        }
        finally
        {
            _lock.Exit();
        }
    }

    private bool HoldsAny(Space space) => !_closed && !space.Dead && space.Id < _usage.Length && _usage[space.Id].Entries > 0;

    private void TrimOne(Space space)
    {
        if (_trimNumber >= _heap.Numbered)
        {
            _trimNumber = 1;
            _trimOffset = 0;
        }

        ref readonly Segment segment = ref _heap[_trimNumber];
        bool isWritten = segment.State is SegmentState.Open or SegmentState.Sealed;
        if (!isWritten || (segment.Spaces & BitOf(space.Id)) == 0 || _trimOffset >= segment.UsedBytes)
        {
            _trimNumber++;
            _trimOffset = 0;
            return;
        }

        EntryHeader* entry = _heap.EntryIn(_trimNumber, _trimOffset);
        uint address = _heap.AddressOf(_trimNumber, _trimOffset);
        _trimOffset += EntryHeader.SizeOf(entry);
        if (entry->Dead || entry->SpaceId != space.Id)
        {
            return;
        }

        bool isExpired = entry->ExpiresAtMs <= _parts.Clock.NowMs;
        if (!isExpired && entry->Frequency > 0)
        {
            entry->Frequency--;
            return;
        }

        EntryHeader.Lock(entry);
        _wheel.Remove(entry);
        RemoveWithoutWheel(entry, address, isExpired ? RemovalReason.Expired : RemovalReason.Quota);
    }
}
