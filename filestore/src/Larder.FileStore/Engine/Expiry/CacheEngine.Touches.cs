namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>What other processes know of a sliding entry's end is renewed when it comes this near: several ticks.</summary>
    private const long TouchHorizonMs = 4 * TickMs;

    private readonly Lock _touchGate = new();
    private List<SlidingEntry> _touched = [];

    /// <summary>Entries that reads moved and the file does not know of yet.</summary>
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
    /// Writes where reads moved sliding entries to, many in one line; those that other processes need not know of yet wait.
    /// The queue is bounded by the sliding entries: each is in it at most once.
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
                // An entry that was set again has another life: the old one's must not be written over it.
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
