namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    private const long TickMs = 250;
    private const long IdentityMs = 1000;

    /// <summary>An expired entry is noticed within 30 s and its line gone with the compaction that follows: within the promised 60 s.</summary>
    private const long ExpirySweepMs = 30_000;

    private ITimer? _timer;
    private long _identityAt;
    private long _sweptAt;
    private string? _identityFault;

    /// <summary>Why the file at the path cannot be used, where it was replaced by something else; null when all is well.</summary>
    internal string? IdentityFault => _identityFault;

    private void StartMaintenance()
    {
        _identityAt = _sweptAt = _clock.Tick;
        // Weak, so that a cache that nobody holds any more is collected, its timer with it.
        WeakReference<CacheEngine> self = new(this);
        TimeSpan period = TimeSpan.FromMilliseconds(TickMs);
        _timer = _clock.Time.CreateTimer(static state => OnTick((WeakReference<CacheEngine>)state!), self, period, period);
    }

    private static void OnTick(WeakReference<CacheEngine> self)
    {
        if (self.TryGetTarget(out CacheEngine? engine))
        {
            engine.Maintain();
        }
    }

    private void Maintain()
    {
        try
        {
            if (_disposed)
            {
                return;
            }
            FlushTouches(all: false);
            if (_clock.Tick - _identityAt >= IdentityMs && _gate.TryEnter())
            {
                try
                {
                    CheckIdentityIfDue();
                }
                finally
                {
                    _gate.Exit();
                }
            }
            Sweep();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or DistributedFileStoreCacheException or ObjectDisposedException)
        {
            Log.MaintenanceFailed(_logger, Path, e.Message);
        }
    }

    private void Purge()
    {
        int purged = _set.PurgeExpired();
        if (purged > 0)
        {
            _changes++;
            Volatile.Write(ref _slots, _set.Slots);
            Instruments.Expired(purged);
        }
    }

    /// <summary>Drops expired entries and starts the compaction that takes their lines out of the file.</summary>
    private void Sweep()
    {
        long now = _clock.Tick;
        if (now - _sweptAt < ExpirySweepMs)
        {
            return;
        }
        _sweptAt = now;
        Refresh();
        bool isDue;
        lock (_monitor)
        {
            Purge();
            isDue = _set.ExpiredInFile > 0 || _damagedInFile || IsCompactionDue;
        }
        if (isDue)
        {
            ScheduleCompaction();
        }
    }

    /// <summary>Each second, and before each write while it is not: is the file at the path still the one that is open? The gate is held.</summary>
    private void CheckIdentityIfDue()
    {
        long now = _clock.Tick;
        if (now - _identityAt < IdentityMs && _identityFault is null)
        {
            return;
        }
        _identityAt = now;
        lock (_monitor)
        {
            TryCatchUp();
            if (_identityFault is null && IsSameFile() && _coordinator.IsAtPath)
            {
                return;
            }
        }
        Recover();
    }

    /// <summary>Looks now whether the file was deleted or replaced.</summary>
    internal void CheckIdentityNow()
    {
        ThrowIfDisposed();
        lock (_gate)
        {
            _identityAt = long.MinValue / 2;
            CheckIdentityIfDue();
        }
    }

    private bool IsSameFile() => _log is { IsClosed: false } && (Word.Generation(_position) != Word.Generation(_coordinator.Committed)
        ? File.Exists(Path)
        : OpenFile.IsStill(_log, _logName, Path) && RandomAccess.GetLength(_log) >= Word.Length(_position));

    /// <summary>The file or its sidecar was deleted or replaced: begins again with what is there now. The gate is held.</summary>
    private void Recover()
    {
        bool newSidecar = !_coordinator.IsAtPath;
        Coordinator coordinator = newSidecar ? Sidecar.Open(Path + ".idx") : _coordinator;
        if (!coordinator.TryLock())
        {
            if (newSidecar)
            {
                coordinator.Dispose();
            }
            // A writer is at work, or stopped: the next second looks again.
            return;
        }
        Coordinator before = _coordinator;
        try
        {
            _coordinator = coordinator;
            if (newSidecar || !IsStillSameUnderLock())
            {
                Log.Replaced(_logger, Path);
                Establish(replaced: !newSidecar);
                _committed = coordinator.CommittedWord;
            }
            _identityFault = null;
        }
        catch (Exception e) when (e is IOException or DistributedFileStoreCacheException)
        {
            _coordinator = before;
            _identityFault = e.Message;
            throw;
        }
        finally
        {
            coordinator.Unlock();
            if (newSidecar)
            {
                // Kept: a read on another thread may still look at its memory.
                _retired.Add(ReferenceEquals(_coordinator, coordinator) ? before : coordinator);
            }
        }
    }

    private bool IsStillSameUnderLock()
    {
        RepairIfDirty();
        lock (_monitor)
        {
            return TryCatchUp() && IsSameFile();
        }
    }
}
