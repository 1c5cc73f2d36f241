using System.Runtime.CompilerServices;

namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    /// <summary>Returns the current entry of <paramref name="key"/>; null, or an entry with a null value, if the key is missing.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal Entry? Find(string key)
    {
        if (Volatile.Read(ref *_committed) != Volatile.Read(ref _seen))
        {
            Refresh();
        }
        Entry? entry = EntrySet.Lookup(Volatile.Read(ref _slots), key);
        return entry is null || entry.ExpiryTick > _clock.AliveBefore ? entry : FindExpiring(entry);
    }

    /// <summary>Sliding expirations shorter than this use the exact clock.</summary>
    private const long ExactSlidingMs = 10 * CacheClock.CoarseLagMs;

    /// <summary>
    /// Returns <paramref name="entry"/>; null if the entry has expired. Called only for entries that have a sliding expiration or may expire soon. Restarts a
    /// sliding expiration.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private Entry? FindExpiring(Entry entry)
    {
        long now = _clock.CoarseTick;
        if (entry.Deadline - now <= CacheClock.CoarseLagMs || entry is SlidingEntry { SlidingMs: < ExactSlidingMs })
        {
            now = _clock.Tick;
        }
        if (entry.Deadline <= now)
        {
            return null;
        }
        if (!_settings.ReadOnly && entry is SlidingEntry sliding && sliding.Touch(now))
        {
            QueueTouch(sliding);
        }
        return entry;
    }

    /// <summary>
    /// Brings the table up to date with the committed word. Does not throw if the file cannot be read. Reads then use the published table.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Refresh()
    {
        ThrowIfDisposed();
        if (_coordinator.IsPolled && !IsPollDue() && !Volatile.Read(ref _applying))
        {
            return;
        }
        if (!_coordinator.IsIntact)
        {
            RepairSidecar();
        }
        lock (_monitor)
        {
            if (!_disposed && !(_coordinator.IsPolled && !IsPollDue()))
            {
                TryCatchUp();
            }
        }
    }

    private bool IsPollDue() => _clock.CoarseTick - Volatile.Read(ref _polledAt) >= (long)_settings.PollInterval.TotalMilliseconds;

    /// <summary>Gets the number of live entries; drops expired entries first.</summary>
    internal int Count
    {
        get
        {
            Refresh();
            lock (_monitor)
            {
                Purge();
                return _set.Count;
            }
        }
    }
}
