namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    private const long TickMs = 250;

    /// <summary>Waited for those that write by a new sidecar, before each write and at each look; a write waits on by itself.</summary>
    private static readonly TimeSpan LookPatience = TimeSpan.FromMilliseconds(100);
    private const long IdentityMs = 1000;

    /// <summary>How often a cache that is not written looks whether more than half of its file is dead.</summary>
    private const long ExpirySweepMs = 30_000;

    private ITimer? _timer;
    private long _identityAt;
    private long _sweptAt;

    private void StartMaintenance()
    {
        _identityAt = _sweptAt = _clock.Tick;
        _clockOffset = _clock.UtcMs - _clock.Tick;
        // Weak, so that a cache that nobody holds any more is collected, its timer with it.
        WeakReference<CacheEngine> self = new(this);
        TimeSpan period = TimeSpan.FromMilliseconds(TickMs);
        // The timer lives longer than the request that opens the cache: its ambient values (a trace, a logging scope) are not the timer's.
        using AsyncFlowControl suppressed = ExecutionContext.SuppressFlow();
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
            FollowClock();
            FlushTouches(all: false);
            if (_clock.Tick - _identityAt >= IdentityMs && TryEnterGate())
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
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or DistributedFileStoreCacheException)
        {
            IdentityIsWrong(e.Message);
        }
        catch (ObjectDisposedException)
        {
            // Closed meanwhile.
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
            isDue = IsSweepDue;
        }
        if (isDue && !_settings.ReadOnly)
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
        if (_settings.ReadOnly)
        {
            LookAgain();
            return;
        }
        lock (_monitor)
        {
            if (TryCatchUp() && _identityFault is null && IsSameFile() && _coordinator.IsAtPath && !HasHole())
            {
                return;
            }
        }
        _mayHaveHole = true;
        Recover(LookPatience);
    }

    /// <summary>The sidecar was truncated: it is repaired by a read, too, unless a writer is at work, which does it. Never waits for one.</summary>
    private void RepairSidecar()
    {
        if (_settings.ReadOnly || !TryEnterGate())
        {
            return;
        }
        try
        {
            Recover(TimeSpan.Zero);
        }
        catch (Exception e) when (IsOfTheFile(e))
        {
            // Recover has reported it; the table answers.
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>Looks now whether the file was deleted or replaced.</summary>
    internal void CheckIdentityNow()
    {
        lock (_gate)
        {
            ThrowIfDisposed();
            _identityAt = long.MinValue / 2;
            CheckIdentityIfDue();
        }
    }

    private bool IsSameFile() => _log is { IsClosed: false } && (Word.Generation(_position) != Word.Generation(_coordinator.Committed)
        ? File.Exists(Path)
        : IsOurs(exactly: false));

    /// <summary>Whether the next write must look for a hole: a check that found a fault could not always take the write lock.</summary>
    private bool _mayHaveHole;

    private bool HasHole() => _log is { IsClosed: false } && PositionedFile.HasHole(_log, Word.Length(_position));
}
