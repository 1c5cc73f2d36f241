namespace Larder.Wire.Http2;

/// <summary>
/// Those whom one read answered, woken one after the other by one item of the thread pool. One whose continuation blocks holds up those behind it until
/// <see cref="HelpIfStalled"/> sends a second runner past it.
/// <para>
/// A caller that is woken here and calls again leaves the waking of the writer to the batch: it runs once at the end, on this thread, for all of them. Where a batch
/// stands still, because a caller blocks, what was left to it is run elsewhere, and for a while no batch of the connection is left anything.
/// </para>
/// </summary>
internal sealed class CompletionBatch(CompletionBatches owner) : IThreadPoolWorkItem
{
    // The batch that wakes callers on this thread.
    [ThreadStatic]
    private static CompletionBatch? _current;

    private readonly Lock _lock = new();
    private readonly List<IThreadPoolWorkItem> _deferred = [];
    private IThreadPoolWorkItem[] _waiters = new IThreadPoolWorkItem[64];
    private int _count;
    private int _next;
    private int _runners;
    private int _seenNext;

    /// <summary>Leaves work to the batch that wakes callers on this thread; false where there is none, or it takes none.</summary>
    public static bool TryDefer(IThreadPoolWorkItem work) => _current is { } current && current.TryTake(work);

    public bool IsRunning => Volatile.Read(ref _runners) > 0;

    // Bounded by the streams of a connection: each is added once for an answer, a write or its end.
    public void Add(IThreadPoolWorkItem waiter)
    {
        if (_count == _waiters.Length)
        {
            Array.Resize(ref _waiters, _count * 2);
        }

        _waiters[_count++] = waiter;
    }

    /// <summary>Wakes them on the thread pool.</summary>
    public void RunOnPool()
    {
        Start();
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Wakes them here: on a thread of the pool that nobody waits for.</summary>
    public void RunHere()
    {
        Start();
        Execute();
    }

    public void Execute()
    {
        _current = this;
        int index;
        while ((index = Interlocked.Increment(ref _next) - 1) < _count)
        {
            IThreadPoolWorkItem waiter = _waiters[index];
            _waiters[index] = null!;
            waiter.Execute();
        }

        _current = null;
        RunDeferred();
        if (Interlocked.Decrement(ref _runners) == 0)
        {
            _count = 0;
            owner.Return(this);
        }
    }

    /// <summary>Called from time to time: where nobody was woken since the last time, another runner goes on with the rest.</summary>
    public void HelpIfStalled()
    {
        int next = Volatile.Read(ref _next);
        bool isStalled = next == _seenNext;
        _seenNext = next;
        if (!isStalled)
        {
            return;
        }

        owner.OnStalled();
        foreach (IThreadPoolWorkItem work in TakeDeferred())
        {
            ThreadPool.UnsafeQueueUserWorkItem(work, preferLocal: false);
        }

        if (next < _count && TryAddRunner())
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    private bool TryTake(IThreadPoolWorkItem work)
    {
        lock (_lock)
        {
            if (!owner.MayDefer)
            {
                return false;
            }

            _deferred.Add(work);
            return true;
        }
    }

    private IThreadPoolWorkItem[] TakeDeferred()
    {
        lock (_lock)
        {
            IThreadPoolWorkItem[] taken = _deferred.Count == 0 ? [] : [.. _deferred];
            _deferred.Clear();
            return taken;
        }
    }

    private void RunDeferred()
    {
        foreach (IThreadPoolWorkItem work in TakeDeferred())
        {
            work.Execute();
        }
    }

    private void Start()
    {
        _next = 0;
        _seenNext = -1;
        Volatile.Write(ref _runners, 1);
        owner.OnStarted();
    }

    private bool TryAddRunner()
    {
        int runners = Volatile.Read(ref _runners);
        while (runners > 0)
        {
            int seen = Interlocked.CompareExchange(ref _runners, runners + 1, runners);
            if (seen == runners)
            {
                return true;
            }

            runners = seen;
        }

        return false;
    }
}
