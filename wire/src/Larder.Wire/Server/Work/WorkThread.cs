namespace Larder.Wire;

/// <summary>A thread of a <see cref="WorkScheduler"/>. It runs one item at a time, and only while it holds one of the scheduler's slots.</summary>
#pragma warning disable CA1001 // The semaphore's wait handle is never created, so there is nothing to dispose.
internal sealed class WorkThread(WorkScheduler scheduler)
#pragma warning restore CA1001
{
    [ThreadStatic]
    private static WorkThread? t_current;

    private readonly SemaphoreSlim _signal = new(0);

    /// <summary>The worker that the calling thread is; null on any other thread.</summary>
    public static WorkThread? Current => t_current;

    /// <summary>What it runs, or is about to run.</summary>
    internal IWorkItem? Item { get; set; }

    /// <summary>The connection that <see cref="Item"/> belongs to.</summary>
    internal WorkShare Share { get; set; } = null!;

    /// <summary>The group at the time when the item began: a connection may change its group meanwhile.</summary>
    internal WorkGroup Group { get; set; } = null!;

    /// <summary>When it got its slot, in ticks of the scheduler's clock.</summary>
    internal long SlotStart { get; set; }

    /// <summary>
    /// Lets others run if the current slice is over: returns when it is this item's turn again. Called between the steps of long work, with no lock held that
    /// another thread could wait for without yielding itself.
    /// </summary>
    public void Yield()
    {
        if (scheduler.Requeue(this))
        {
            _signal.Wait();
        }
    }

    /// <summary>Gives the slot back, sleeps, and waits for the next turn: for work that waits for other work.</summary>
    /// <param name="milliseconds">How long to sleep.</param>
    public void Sleep(int milliseconds)
    {
        scheduler.Pause(this);
        Thread.Sleep(milliseconds);
        scheduler.Resume(this);
        _signal.Wait();
    }

    /// <summary>Starts the thread; its first item is set.</summary>
    internal void Start() => new Thread(Run) { IsBackground = true, Name = "larder worker" }.UnsafeStart();

    /// <summary>Wakes it: it has a slot.</summary>
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

    // False when there was no work for the idle time.
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
