namespace Larder.Store;

/// <summary>
/// Reclaims the entries of flushed and deleted caches. It walks over the segments that they wrote to, a few entries at a time, and removes their entries in
/// place, without copying. A segment that becomes empty is freed at once; a sparse one is compacted like any other. A pass ends when it has found all
/// entries; caches flushed meanwhile are left for the next pass.
/// </summary>
internal sealed unsafe partial class Shard
{
    // Entries visited per write: about 20 ns each, or 0.3 µs if removed. More if memory is low, so that a pass through a shard ends before the available
    // segments run out.
    private const int SweepPerWrite = 16;
    private const int SweepPerWriteWhenLow = 128;

    // Sweep steps of one write before it evicts: about 1 ms.
    private const int MaxSweepSteps = 16;

    private long _sweptFlush;
    private long _passFlush;
    private long _passBytes;
    private ulong _passSpaces;
    private int _sweepNumber;
    private int _sweepOffset;

    /// <summary>Number of the last flush up to which no entries remain in this shard.</summary>
    public long SweptFlush => Volatile.Read(ref _sweptFlush);

    /// <summary>Does a part of a pass, in the background.</summary>
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

    /// <summary>Continues the pass, or starts one if something was flushed since the last.</summary>
    /// <returns>True if more is left to sweep.</returns>
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
        // Read the flush number before the spaces: every space killed up to this flush is then among them, and no write to it can follow.
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

    // The space's bit in Segment.Spaces.
    private static ulong BitOf(int spaceId) => 1UL << (spaceId & 63);

    /// <summary>Records that an entry of a dead space was removed, for whatever reason.</summary>
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

    /// <summary>Frees a segment without live entries once its readers have left. A sweep or trim in progress in it restarts at its beginning.</summary>
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
