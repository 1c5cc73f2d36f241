using System.Diagnostics;
using Larder.Wire.Http2;
using Larder.Wire.Sockets;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <summary>
/// The callers whose calls completed in one read of the connection. One thread pool work item resumes them one after another. If a continuation blocks, the
/// callers after it wait until <see cref="CompleteInlineIfStalled"/> starts a second runner for them.
/// <para>
/// If a resumed caller makes another call, the writer is not woken immediately. It runs at the end of the batch, on this thread, and sends the calls of all
/// callers together. If the batch stalls because a caller blocks, the deferred work runs on another thread, and no batch of the connection accepts deferred
/// work for a while.
/// </para>
/// <para>
/// If the batch runs on a reactor's thread, it resumes callers there as long as they are quick. After <see cref="ReactorTime"/>, the remaining callers are
/// resumed on the thread pool. The same applies to the next batches (<see cref="CompletionBatches.MayRunHere"/>). If a caller blocks, the thread is replaced.
/// </para>
/// </summary>
internal sealed class CompletionBatch(CompletionBatches owner) : IThreadPoolWorkItem, ICallerBatch
{
    /// <summary>
    /// The time that a batch may use on a reactor's thread. Each caller adds 2 µs to this time. Quick callers need only a fraction of it.
    /// </summary>
    public static readonly TimeSpan ReactorTime = TimeSpan.FromMicroseconds(100);

    private static readonly long s_callerTicks = (long)(TimeSpan.FromMicroseconds(2).TotalSeconds * Stopwatch.Frequency);

    // Reading the clock costs as much as resuming a quick caller, so it is read after each of the first two callers and then after every eighth caller.
    private const int LookEvery = 8;

    // The size of the smallest batch that is split. Each half must be large enough to justify a separate write.
    private const int MinSplit = 32;

    private static readonly long s_reactorTicks = (long)(ReactorTime.TotalSeconds * Stopwatch.Frequency);

    // The batch that is resuming callers on this thread.
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

    /// <summary>
    /// Gets the receiver of the connection whose responses this thread handles or whose callers it resumes. Null if there is no such connection, or if it has
    /// no duplex call with a receiver.
    /// </summary>
    public static IDuplexReceiver? CurrentReceiver => (_current?.Owner ?? CompletionBatches.Reading)?.Receiver;

    /// <summary>
    /// Defers work to the batch that is resuming callers on this thread. Returns false if there is no such batch, or if the batch does not accept work.
    /// </summary>
    public static bool TryDefer(IThreadPoolWorkItem work) => _current is { } current && current.TryTake(work);

    /// <summary>
    /// Returns the index of the middle caller if the batch is to be split. Deferred work then runs after this caller and at the end of the batch. Returns -1 if
    /// the batch is not split, because it is small or many calls are still active.
    /// </summary>
    public static int SplitOf(int count, int underWay) => count >= MinSplit && underWay <= count / 8 ? count / 2 : -1;

    private CompletionBatches Owner => owner;

    public bool IsRunning => Volatile.Read(ref _runners) > 0;

    // The number of callers is bounded by the connection's calls, because each call is added once, for its response or its end.
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

    /// <summary>Defers work to this batch, which is running or about to run. Returns false if the batch does not accept work.</summary>
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

    /// <summary>Resumes the callers on the thread pool.</summary>
    public void RunOnPool()
    {
        Start();
        PoolState.Queue(this, DedicatedThreads.Callers);
    }

    /// <summary>Resumes the callers on this thread, which must be a reactor's thread or a pool thread that no other work needs.</summary>
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

    /// <summary>Called periodically. If no caller was resumed since the last call of this method, another runner resumes the remaining callers.</summary>
    public void CompleteInlineIfStalled()
    {
        int next = Volatile.Read(ref _next);
        _stalledTicks = next == _seenNext ? _stalledTicks + 1 : 0;
        _seenNext = next;
        if (_stalledTicks == 0)
        {
            return;
        }

        // If no caller has been resumed yet, the pool has not started the first runner. If the batch was already stalled at the previous tick, the pool has not
        // started the additional runner. In both cases, the pool has no free thread.
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

    // Lets another thread resume the remaining callers, so that this thread can stop.
    private void HandOver()
    {
        Volatile.Write(ref _thread, null);
        SendRunner();
    }

    // Starts an additional runner if there are remaining callers.
    private void SendRunner()
    {
        if (Volatile.Read(ref _next) < _count && TryAddRunner())
        {
            PoolState.Queue(this, DedicatedThreads.Callers);
        }
    }

    // Returns whether a reactor's thread must be released. Checked after each caller.
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
