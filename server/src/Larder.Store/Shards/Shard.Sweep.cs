namespace Larder.Store;

/// <summary>
/// Reclaims the entries of flushed and deleted caches. A sweep walks through the segments that contain entries of these caches, a few entries at a time. It
/// removes these entries in place, without copying other entries. A segment that becomes empty is freed immediately. A segment with much dead space is
/// compacted like any other segment. A pass ends when it has found all entries. Caches that are flushed during a pass are swept in the next pass.
/// </summary>
internal sealed unsafe partial class Shard
{
    // The number of entries visited per write. A visit takes about 20 ns, or 0.3 µs if the entry is removed. The number is larger if memory is low, so that a
    // pass through a shard ends before the available segments are used up.
    private const int SweepPerWrite = 16;
    private const int SweepPerWriteWhenLow = 128;

    // The maximum number of sweep steps of one write before the write evicts entries. These steps take about 1 ms.
    private const int MaxSweepSteps = 16;

    private long _sweptFlush;
    private long _passFlush;
    private long _passBytes;
    private ulong _passSpaces;
    private int _sweepNumber;
    private int _sweepOffset;

    /// <summary>
    /// The number of the last flush whose entries have all been removed from this shard. The entries of all earlier flushes have been removed as well.
    /// </summary>
    public long SweptFlush => Volatile.Read(ref _sweptFlush);

    /// <summary>Runs a part of a sweep pass. A flush calls this method if many dead spaces have not been reclaimed yet.</summary>
    /// <param name="parts">The number of parts into which to divide a pass.</param>
    public void SweepPart(int parts)
    {
        lock (_lock)
        {
            if (!_closed)
            {
                Sweep((int)Math.Min((UsedBytes / EntryHeader.Bytes / parts) + SweepPerWriteWhenLow, int.MaxValue));
            }
        }
    }

    /// <summary>Continues the current pass. If no pass is in progress and a cache was flushed since the last pass, starts a new pass.</summary>
    /// <returns>True if the pass is not complete.</returns>
    private bool Sweep(int entries)
    {
        if (_sweptFlush == _parts.Spaces.LastFlush || (_passBytes == 0 && !BeginPass()))
        {
            return false;
        }

        for (; entries > 0 && _passBytes > 0; entries--)
        {
            _work++;
            Invariant.Holds(_sweepNumber < _heap.Numbered, "a pass finds all that was flushed");
            ref readonly Segment segment = ref _heap[_sweepNumber];
            bool isWritten = segment.State is SegmentState.Open or SegmentState.Sealed or SegmentState.Victim;
            if (!isWritten || (segment.Spaces & _passSpaces) == 0 || _sweepOffset >= segment.UsedBytes)
            {
                _sweepNumber++;
                _sweepOffset = 0;
                continue;
            }

            EntryHeader* entry = _heap.EntryIn(_sweepNumber, _sweepOffset);
            uint address = _heap.AddressOf(_sweepNumber, _sweepOffset);
            _sweepOffset += EntryHeader.SizeOf(entry);
            if (!entry->Dead && _parts.Spaces[entry->SpaceId].Dead)
            {
                EntryHeader.Lock(entry);
                _wheel.Remove(entry);
                RemoveWithoutWheel(entry, address, RemovalReason.Flushed);
            }
        }

        return _passBytes > 0;
    }

    private bool BeginPass()
    {
        // The flush number is read before the list of spaces. Therefore, the list contains every space that this flush or an earlier one made dead, and no
        // later write adds entries to these spaces.
        _passFlush = _parts.Spaces.LastFlush;
        _passSpaces = 0;
        foreach (Space space in _parts.Spaces.Dead)
        {
            if (space.DeletedEpoch <= _passFlush && space.Id < _usage.Length)
            {
                _passBytes += _usage[space.Id].ChargedBytes;
                _passSpaces |= BitOf(space.Id);
            }
        }

        _sweepNumber = 1;
        _sweepOffset = 0;
        if (_passBytes == 0)
        {
            Volatile.Write(ref _sweptFlush, _passFlush);
        }

        return _passBytes > 0;
    }

    // Returns the bit of a space in Segment.Spaces.
    private static ulong BitOf(int spaceId) => 1UL << (spaceId & 63);

    /// <summary>Records that an entry of a dead space was removed, for any reason.</summary>
    private void CountSwept(Space space, long sizeBytes)
    {
        if (_passBytes == 0 || space.DeletedEpoch > _passFlush)
        {
            return;
        }

        _passBytes -= sizeBytes;
        Invariant.Holds(_passBytes >= 0, "no more is swept than was flushed");
        if (_passBytes == 0)
        {
            Volatile.Write(ref _sweptFlush, _passFlush);
        }
    }

    /// <summary>
    /// Retires a segment without live entries. The segment is freed after its readers have left. If a sweep or trim is in progress in this segment, it restarts
    /// at the beginning of the segment.
    /// </summary>
    private void Retire(int number)
    {
        _heap.Retire(number);
        if (number == _sweepNumber)
        {
            _sweepOffset = 0;
        }

        if (number == _trimNumber)
        {
            _trimOffset = 0;
        }
    }
}
