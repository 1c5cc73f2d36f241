using System.Diagnostics;
using Larder.Wire.Http2;
using Larder.Wire.Sockets;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <summary>
/// Those whom one read answered, woken one after the other by one item of the thread pool. One whose continuation blocks holds up those behind it until
/// <see cref="HelpIfStalled"/> sends a second runner past it.
/// <para>
/// A caller that is woken here and calls again leaves the waking of the writer to the batch: it runs once at the end, on this thread, for all of them. Where a
/// batch stands still, because a caller blocks, what was left to it is run elsewhere, and for a while no batch of the connection is left anything.
/// </para>
/// <para>
/// On a reactor's thread callers are woken there, for as long as they are quick: past <see cref="ReactorTime"/> the rest is handed to the pool, and the next
/// batches with it (<see cref="CompletionBatches.MayRunHere"/>). A caller that blocks has the thread replaced.
/// </para>
/// </summary>
internal sealed class CompletionBatch(CompletionBatches owner) : IThreadPoolWorkItem, ICallerBatch
{
    /// <summary>100 µs in all and 2 µs for each caller, which is several times what a quick one takes.</summary>
    public static readonly TimeSpan ReactorTime = TimeSpan.FromMicroseconds(100);

    private static readonly long s_callerTicks = (long)(TimeSpan.FromMicroseconds(2).TotalSeconds * Stopwatch.Frequency);

    // Looking at the clock costs as much as waking a quick caller: one look in so many, and after the first two.
    private const int LookEvery = 8;

    // Two halves, each worth a write of its own.
    private const int LeastSplit = 32;

    private static readonly long s_reactorTicks = (long)(ReactorTime.TotalSeconds * Stopwatch.Frequency);

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
    private int _stalledTicks;
    private ReactorThread? _thread;
    private long _until;
    private int _splitAt = -1;

    /// <summary>Leaves work to the batch that wakes callers on this thread; false where there is none, or it takes none.</summary>
    public static bool TryDefer(IThreadPoolWorkItem work) => _current is { } current && current.TryTake(work);

    /// <summary>The caller of a batch after whose waking what was left is run: the middle one, where nearly all calls are answered; -1 for none.</summary>
    public static int SplitOf(int count, int underWay) => count >= LeastSplit && underWay <= count / 8 ? count / 2 : -1;

    public bool IsRunning => Volatile.Read(ref _runners) > 0;

    // Bounded by the calls of a connection: each is added once for an answer or its end.
    public void Add(IThreadPoolWorkItem waiter)
    {
        if (_count == _waiters.Length)
        {
            Array.Resize(ref _waiters, _count * 2);
        }

        _waiters[_count++] = waiter;
    }

    /// <inheritdoc cref="ICallerBatch.Split"/>
    public void Split(int underWay) => _splitAt = SplitOf(_count, underWay);

    /// <summary>Leaves work to this batch, which runs or is about to; false where it takes none.</summary>
    public bool TryTake(IThreadPoolWorkItem work)
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

    /// <summary>Wakes them on the thread pool.</summary>
    public void RunOnPool()
    {
        Start();
        PoolState.Queue(this, DedicatedThreads.Callers);
    }

    /// <summary>Wakes them here: on a thread of the pool that nobody waits for, or on a reactor's.</summary>
    public void RunHere()
    {
        Start();
        ReactorThread? thread = ReactorThread.Current;
        if (thread is not null)
        {
            _until = Stopwatch.GetTimestamp() + s_reactorTicks;
            owner.OnRunsHere();
        }

        Volatile.Write(ref _thread, thread);
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
            if (index == _splitAt)
            {
                _current = null;
                RunDeferred();
                _current = this;
            }

            if (MustHandOver(index))
            {
                HandOver();
                break;
            }
        }

        _current = null;
        RunDeferred();
        if (Interlocked.Decrement(ref _runners) == 0)
        {
            _count = 0;
            _splitAt = -1;
            owner.Return(this);
        }
    }

    /// <summary>Called from time to time: where nobody was woken since the last time, another runner goes on with the rest.</summary>
    public void HelpIfStalled()
    {
        int next = Volatile.Read(ref _next);
        _stalledTicks = next == _seenNext ? _stalledTicks + 1 : 0;
        _seenNext = next;
        if (_stalledTicks == 0)
        {
            return;
        }

        // No runner has begun on the pool, or not the one that was sent when a caller blocked: the pool has no thread for it.
        bool isPoolLate = next < _count && (next == 0 ? Volatile.Read(ref _thread) is null : _stalledTicks > 1);
        if (isPoolLate)
        {
            PoolState.NoteLate();
        }

        if (next > 0)
        {
            owner.OnStalled();
        }

        Interlocked.Exchange(ref _thread, null)?.Replace();
        foreach (IThreadPoolWorkItem work in TakeDeferred())
        {
            PoolQueue.Work.Add(work);
        }

        SendRunner();
    }

    // Others still run what was added; this thread goes.
    private void HandOver()
    {
        Volatile.Write(ref _thread, null);
        SendRunner();
    }

    // Another thread goes on with the rest, if there is any.
    private void SendRunner()
    {
        if (Volatile.Read(ref _next) < _count && TryAddRunner())
        {
            PoolState.Queue(this, DedicatedThreads.Callers);
        }
    }

    // On a reactor's thread, asked after each caller: whether the thread is wanted back.
    private bool MustHandOver(int woken) => (woken % LookEvery == LookEvery - 1 || woken < 2) && _thread is not null && IsOverTime(woken);

    private bool IsOverTime(int woken)
    {
        bool isOver = Stopwatch.GetTimestamp() > _until + (woken * s_callerTicks);
        if (isOver)
        {
            owner.OnSlow();
        }

        return isOver;
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
        _stalledTicks = 0;
        _thread = null;
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
