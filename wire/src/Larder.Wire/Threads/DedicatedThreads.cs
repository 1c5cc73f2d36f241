namespace Larder.Wire.Threads;

/// <summary>
/// Dedicated threads that run the library's timers, and the work that the thread pool does not start in time (<see cref="PoolQueue"/>). So calls complete and
/// time out even if the application blocks all threads of the pool, for example with synchronous calls.
/// <para>
/// Design. A thread that takes work wakes or starts another one to wait in its place. So blocking work delays no other work until <see cref="Most"/> threads
/// are blocked. Work and timers then wait for a free thread. One thread is started at a time. The new thread starts the next thread if there is still work. A
/// thread that was idle for <see cref="IdleTime"/> ends, unless it waits for a timer.
/// </para>
/// </summary>
internal sealed class DedicatedThreads
{
    /// <summary>
    /// The maximum number of threads, which is 64. The library's own work is short. So more than two or three threads are needed only if application code
    /// blocks, for example a logger or a continuation.
    /// </summary>
    public const int Most = 64;

    private const long Never = long.MaxValue;

    private readonly object _gate = new();
    private readonly Queue<IThreadPoolWorkItem> _work = new();
    private readonly TimerHeap _timers = new();
    private readonly string _name;

    // The due time of the timer for which a thread is waiting. If a timer that is due earlier is added, another thread waits for that timer.
    private long _awakeAt = Never;
    private int _threads;
    private int _idle;
    private bool _isStarting;

    public DedicatedThreads(string name) => _name = name;

    /// <summary>Gets the time for which a thread stays idle before it ends. It is 10 s, so that intermittent load does not start threads repeatedly.</summary>
    public static TimeSpan IdleTime { get; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets the threads for timers and for the library's own work.</summary>
    public static DedicatedThreads Shared { get; } = new("larder work");

    /// <summary>
    /// Gets the threads that resume callers, whose continuations are application code. These threads are separate, so that blocking application code does not
    /// delay deadlines.
    /// </summary>
    public static DedicatedThreads Callers { get; } = new("larder callers");

    /// <summary>Gets the number of threads.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
            {
                return _threads;
            }
        }
    }

    /// <summary>Runs a work item as soon as possible. The work item must not throw.</summary>
    public void Queue(IThreadPoolWorkItem work)
    {
        lock (_gate)
        {
            _work.Enqueue(work);
            StartThreads();
        }
    }

    /// <summary>Sets the time at which a timer is due next, as a timestamp. <see cref="long.MaxValue"/> means never.</summary>
    public void Schedule(DedicatedTimer timer, long dueAt)
    {
        lock (_gate)
        {
            _timers.Set(timer, dueAt);
            StartThreads();
        }
    }

    // Wakes or starts a thread if there is work, or if no thread is waiting for the earliest timer. The caller must hold the gate.
    private void StartThreads()
    {
        if (_work.Count == 0 && _timers.NextDueAt >= _awakeAt)
        {
            return;
        }

        if (_idle > 0)
        {
            Monitor.Pulse(_gate);
        }
        else if (!_isStarting && _threads < Most)
        {
            Start();
        }
    }

    private void Start()
    {
        _isStarting = true;
        _threads++;
        try
        {
            new Thread(Run) { IsBackground = true, Name = _name }.UnsafeStart();
        }
        catch
        {
            _isStarting = false;
            _threads--;
            throw;
        }
    }

    private void Run()
    {
        lock (_gate)
        {
            _isStarting = false;
        }

        while (Take() is { } work)
        {
            work.Execute();
        }
    }

    // Waits for the next work item. Returns null if this thread has been idle for long enough and must end.
    private IThreadPoolWorkItem? Take()
    {
        lock (_gate)
        {
            bool wasWanted = true;
            while (true)
            {
                if (_timers.TryTakeDue(DedicatedTime.Now, out DedicatedTimer? timer) || _work.Count > 0)
                {
                    IThreadPoolWorkItem work = timer ?? _work.Dequeue();
                    // Another thread must wait for work while this thread is busy.
                    StartThreads();
                    return work;
                }

                bool isWaitedFor = _timers.NextDueAt >= _awakeAt;
                if (!wasWanted && isWaitedFor)
                {
                    _threads--;
                    return null;
                }

                wasWanted = isWaitedFor ? WaitForWork() : WaitForTimer();
            }
        }
    }

    private bool WaitForWork()
    {
        _idle++;
        bool wasWanted = Monitor.Wait(_gate, IdleTime);
        _idle--;
        return wasWanted;
    }

    private bool WaitForTimer()
    {
        long until = _timers.NextDueAt;
        _awakeAt = until;
        _idle++;
        Monitor.Wait(_gate, DedicatedTime.WaitUntil(until));
        _idle--;
        if (_awakeAt == until)
        {
            _awakeAt = Never;
        }

        return true;
    }
}
