namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    private const long TickMs = 250;

    /// <summary>
    /// The maximum time that the check of the file's identity waits for a process that writes with a new sidecar. A write can wait longer, because it retries
    /// until its own timeout.
    /// </summary>
    private static readonly TimeSpan IdentityCheckTimeout = TimeSpan.FromMilliseconds(100);
    private const long IdentityMs = 1000;

    /// <summary>The interval at which the cache drops expired entries and checks whether dead lines take up more than half of its file.</summary>
    private const long ExpirySweepMs = 30_000;

    private ITimer? _timer;
    private long _identityAt;
    private long _sweptAt;

    private void StartMaintenance()
    {
        _identityAt = _sweptAt = _clock.Tick;
        _clockOffset = _clock.UtcMs - _clock.Tick;
        // The timer has a weak reference to the cache, so that an unreferenced cache can be collected together with its timer.
        WeakReference<CacheEngine> self = new(this);
        TimeSpan period = TimeSpan.FromMilliseconds(TickMs);
        // The timer outlives the request that opens the cache, so it must not capture the request's ambient values (trace, logging scope).
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
            // The cache was closed concurrently.
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

    /// <summary>Drops expired entries and schedules a compaction if it would remove enough dead lines.</summary>
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

    /// <summary>
    /// Checks whether the file at the path is still the file that this cache has open. The check runs once a second and, after a failed check, before each
    /// write. The caller holds the gate.
    /// </summary>
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
        Recover(IdentityCheckTimeout);
    }

    /// <summary>Repairs a truncated sidecar during a read. Does nothing if a writer is active, because the writer repairs the sidecar. Never waits.</summary>
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
            // Recover has reported the fault; the read continues from the table.
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>Checks immediately whether the file was deleted or replaced.</summary>
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

    /// <summary>
    /// Whether the next write must check the file for a hole. Set when a check finds a fault, because that check may fail to obtain the write lock that the
    /// repair needs.
    /// </summary>
    private bool _mayHaveHole;

    private bool HasHole() => _log is { IsClosed: false } && PositionedFile.HasHole(_log, Word.Length(_position));
}
