namespace Larder.Store;

/// <summary>
/// Reclaiming what flushed and deleted caches left: a walk over the segments that they wrote to, a few entries at a time, that removes their entries
/// where they stand and copies nothing. A segment left empty is free at once, one left sparse is compacted like any other. A pass ends early when it
/// has found all there was; caches flushed meanwhile are for the next.
/// </summary>
internal sealed unsafe partial class Shard
{
    // Entries looked at by one write, at about 20 ns each, and removed, at about 0.3 µs: more where memory is short, so that a pass through a
    // shard ends before the segments kept ready do.
    private const int SweepPerWrite = 16;
    private const int SweepPerWriteWhenLow = 128;

    // Steps of one write that sweep before it evicts: about 1 ms.
    private const int MaxSweepSteps = 16;

    private long _sweptFlush;
    private long _passFlush;
    private long _passBytes;
    private ulong _passSpaces;
    private int _sweepNumber;
    private int _sweepOffset;

    /// <summary>The number of the last flush of which nothing is held here any more, nor of any before it.</summary>
    public long SweptFlush => Volatile.Read(ref _sweptFlush);

    /// <summary>Sweeps a part of a pass, without a write asking for it.</summary>
    /// <param name="parts">In how many parts.</param>
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

    /// <summary>Goes on with the pass, or begins one where something was flushed since the last.</summary>
    /// <returns>Whether there is more to sweep.</returns>
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
                RemoveUnhung(entry, address, RemovalReason.Flushed);
            }
        }

        return _passBytes > 0;
    }

    private bool BeginPass()
    {
        // Before the spaces: what was killed up to this flush is among them, and has been written to for the last time.
        _passFlush = _parts.Spaces.LastFlush;
        _passSpaces = 0;
        foreach (Space space in _parts.Spaces.Dead)
        {
            if (space.KilledIn <= _passFlush && space.Id < _usage.Length)
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

    // In Segment.Spaces.
    private static ulong BitOf(int spaceId) => 1UL << (spaceId & 63);

    /// <summary>An entry of a dead space leaves, by whatever way.</summary>
    private void CountSwept(Space space, long sizeBytes)
    {
        if (_passBytes == 0 || space.KilledIn > _passFlush)
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

    /// <summary>Gives a segment without live entries back, once its readers have left; what walks in it goes on at its start.</summary>
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
