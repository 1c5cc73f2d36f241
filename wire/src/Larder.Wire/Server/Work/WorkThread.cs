namespace Larder.Wire;

/// <summary>A thread of a <see cref="WorkScheduler"/>. It runs one item at a time, and only while it has one of the scheduler's slots.</summary>
#pragma warning disable CA1001 // The semaphore's wait handle is never created, so there is nothing to dispose.
internal sealed class WorkThread(WorkScheduler scheduler)
#pragma warning restore CA1001
{
    [ThreadStatic]
    private static WorkThread? t_current;

    private readonly SemaphoreSlim _signal = new(0);

    /// <summary>Gets the worker of the calling thread; null on other threads.</summary>
    public static WorkThread? Current => t_current;

    /// <summary>Gets or sets the item that is running or about to run.</summary>
    internal IWorkItem? Item { get; set; }

    /// <summary>The share of the connection to which <see cref="Item"/> belongs.</summary>
    internal WorkShare Share { get; set; } = null!;

    /// <summary>Gets or sets the group to which the connection belonged when the item started. The connection may have changed its group since then.</summary>
    internal WorkGroup Group { get; set; } = null!;

    /// <summary>Gets or sets the time at which the thread got its slot, in ticks of the scheduler's clock.</summary>
    internal long SlotStart { get; set; }

    /// <summary>
    /// Yields to other items if the current slice is over. Returns when it is this item's turn again. Call this method between the steps of long work. The
    /// caller must not hold a lock for which another thread might wait without yielding.
    /// </summary>
    public void Yield()
    {
        if (scheduler.Requeue(this))
        {
            _signal.Wait();
        }
    }

    /// <summary>Releases the slot, sleeps, and waits for the next turn. Use this method for work that waits for other work.</summary>
    /// <param name="milliseconds">The time to sleep, in milliseconds.</param>
    public void Sleep(int milliseconds)
    {
        scheduler.Pause(this);
        Thread.Sleep(milliseconds);
        scheduler.Resume(this);
        _signal.Wait();
    }

    /// <summary>Starts the thread. Its first item must be set.</summary>
    internal void Start() => new Thread(Run) { IsBackground = true, Name = "larder worker" }.UnsafeStart();

    /// <summary>Wakes the thread after the scheduler has given it a slot.</summary>
    internal void Signal() => _signal.Release();

    private void Run()
    {
        t_current = this;
        while (WaitForSlot())
        {
            Item!.Run();
            scheduler.Finish(this);
        }
    }

    // Waits for the next item. Returns false if there was no work during the idle time.
    private bool WaitForSlot()
    {
        if (!_signal.Wait(scheduler.IdleTime))
        {
            if (scheduler.TryRetire(this))
            {
                return false;
            }

            _signal.Wait();
        }

        return true;
    }
}
