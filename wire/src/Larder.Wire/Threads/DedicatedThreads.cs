namespace Larder.Wire.Threads;

/// <summary>
/// Threads of the library's own: they run its timers, and the work that the thread pool does not take in time (<see cref="PoolQueue"/>). An application that
/// blocks all threads of the pool, in synchronous calls say, then still gets its answers and its timeouts.
/// <para>
/// Design. A thread that takes work wakes or starts another one to wait in its place, so that work that blocks holds up nothing else until
/// <see cref="Most"/> of them are blocked: then work and timers wait until one is free. One thread is started at a time; it starts the next one if there is
/// still work. A thread that was idle for <see cref="IdleTime"/> ends, unless it waits for a timer.
/// </para>
/// </summary>
internal sealed class DedicatedThreads
{
    /// <summary>64: what runs on them is short. Only application code that blocks (a logger, a continuation) takes more than two or three.</summary>
    public const int Most = 64;

    private const long Never = long.MaxValue;

    private readonly object _gate = new();
    private readonly Queue<IThreadPoolWorkItem> _work = new();
    private readonly TimerHeap _timers = new();
    private readonly string _name;

    // Until when the thread waits that waits for the earliest timer. A timer that is due before has another thread wait for it.
    private long _awakeAt = Never;
    private int _threads;
    private int _idle;
    private bool _isStarting;

    public DedicatedThreads(string name) => _name = name;

    /// <summary>How long a thread stays idle before it ends: 10 s, so that a load that comes and goes starts no threads all the time.</summary>
    public static TimeSpan IdleTime { get; } = TimeSpan.FromSeconds(10);

    /// <summary>Those of timers and of the library's own work.</summary>
    public static DedicatedThreads Shared { get; } = new("larder work");

    /// <summary>Those of callers that are woken: their continuations are application code. Apart, so that no deadline waits for one that blocks.</summary>
    public static DedicatedThreads Callers { get; } = new("larder callers");

    /// <summary>Threads there are now.</summary>
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

    /// <summary>Runs work as soon as possible. It may not throw.</summary>
    public void Queue(IThreadPoolWorkItem work)
    {
        lock (_gate)
        {
            _work.Enqueue(work);
            Summon();
        }
    }

    /// <summary>Sets when a timer is due next; <see cref="long.MaxValue"/> for never.</summary>
    public void Schedule(DedicatedTimer timer, long dueAt)
    {
        lock (_gate)
        {
            _timers.Set(timer, dueAt);
            Summon();
        }
    }

    // Under the gate: has a thread come for what no thread waits for.
    private void Summon()
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

    // Null: this thread has been idle for long enough and ends.
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
                    // While this one works, another waits.
                    Summon();
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
