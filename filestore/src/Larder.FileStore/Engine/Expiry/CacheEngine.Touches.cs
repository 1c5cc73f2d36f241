namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>
    /// The current deadline of a sliding entry is written to the file if the deadline in the file is nearer than this time. Otherwise other processes would
    /// soon treat the entry as expired. This time covers several timer ticks.
    /// </summary>
    private const long TouchHorizonMs = 4 * TickMs;

    private readonly Lock _touchGate = new();
    private List<SlidingEntry> _touched = [];

    /// <summary>Gets the number of entries whose moved deadline has not been written to the file yet.</summary>
    internal int QueuedTouches
    {
        get
        {
            lock (_touchGate)
            {
                return _touched.Count;
            }
        }
    }

    private void QueueTouch(SlidingEntry entry)
    {
        lock (_touchGate)
        {
            _touched.Add(entry);
        }
    }

    /// <summary>
    /// Writes the moved deadlines of sliding entries, many in one line. Deadlines that other processes do not need yet stay queued. The length of the queue is
    /// bounded by the number of sliding entries, because each entry is queued at most once.
    /// </summary>
    private void FlushTouches(bool all)
    {
        List<SlidingEntry> taken;
        lock (_touchGate)
        {
            if (_touched.Count == 0)
            {
                return;
            }
            (taken, _touched) = (_touched, []);
        }
        long now = _clock.Tick;
        List<SlidingEntry> due = [];
        foreach (SlidingEntry entry in taken)
        {
            if (all || entry.MustBeWritten(now, TouchHorizonMs))
            {
                entry.Unqueue();
                due.Add(entry);
            }
            else
            {
                QueueTouch(entry);
            }
        }
        WriteTouches(due);
    }

    private void WriteTouches(List<SlidingEntry> due)
    {
        if (due.Count == 0)
        {
            return;
        }
        try
        {
            lock (_monitor)
            {
                TryCatchUp();
                // An entry that was set again has a new expiration, which the old deadline must not overwrite.
                due.RemoveAll(entry => !_set.Holds(entry));
            }
            TouchMutation touches = new(due);
            if (due.Count > 0 && !(TryWriteNow(ref touches, out bool written) && written))
            {
                Requeue(due);
            }
        }
        catch (Exception e) when (e is IOException or DistributedFileStoreCacheException or ObjectDisposedException)
        {
            Requeue(due);
            Log.CannotTouch(_logger, Path, e.Message);
        }
    }

    private void Requeue(List<SlidingEntry> entries)
    {
        foreach (SlidingEntry entry in entries)
        {
            if (entry.TryQueue())
            {
                QueueTouch(entry);
            }
        }
    }
}
