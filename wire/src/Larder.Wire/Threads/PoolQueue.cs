using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Larder.Wire.Threads;

/// <summary>
/// A work queue that runs on the thread pool. Dedicated threads take over if the pool takes no work for two ticks of a <see cref="Ticker"/>, about 20 ms.
/// <para>
/// Design. For each added work item, one item is queued to the pool. When the pool runs this item, it takes the oldest work item of the queue. If the pool is
/// late, a dedicated thread empties the queue, and the pool's items then find no work. The size of the queue is limited by the number of calls and connections,
/// because the queue contains each of them at most once.
/// </para>
/// </summary>
[SuppressMessage("Reliability", "CA1001", Justification = "There are two, which live as long as the process.")]
internal sealed class PoolQueue : IThreadPoolWorkItem
{
    private readonly ConcurrentQueue<IThreadPoolWorkItem> _queue = new();
    private readonly DedicatedThreads _threads;
    private readonly Drain _onThreads;
    private readonly Drain _onPool;
    private readonly Ticker _watch;
    private long _taken;
    private long _seenTaken;
    private int _stuckTicks;

    private PoolQueue(DedicatedThreads threads)
    {
        _threads = threads;
        _onThreads = new Drain(this, threads.Queue);
        _onPool = new Drain(this, static work => ThreadPool.UnsafeQueueUserWorkItem(work, preferLocal: false));
        _watch = new Ticker(DedicatedTime.Instance, RunInlineIfLate);
    }

    /// <summary>Gets the queue for the library's own work. This work is short and runs no application code except loggers and meters.</summary>
    public static PoolQueue Work { get; } = new(DedicatedThreads.Shared);

    /// <summary>Gets the queue for resuming callers and for calling application code.</summary>
    public static PoolQueue Callers { get; } = new(DedicatedThreads.Callers);

    /// <summary>Adds a work item, which must not throw.</summary>
    public void Add(IThreadPoolWorkItem work)
    {
        _queue.Enqueue(work);
        PoolState.Queue(this, _threads);
        _watch.Wake();
    }

    /// <summary>Adds an action, which must not throw.</summary>
    public void Add<T>(Action<T> action, T argument) => Add(new Item<T>(action, argument));

    /// <summary>Returns an awaitable that continues the method as a work item of the queue, on another thread.</summary>
    public Switch Yield() => new(this);

    void IThreadPoolWorkItem.Execute() => TryRunOne();

    private bool TryRunOne()
    {
        if (!_queue.TryDequeue(out IThreadPoolWorkItem? work))
        {
            return false;
        }

        Interlocked.Increment(ref _taken);
        work.Execute();
        return true;
    }

    // Checks the queue periodically. Returns true if the queue contains work.
    private bool RunInlineIfLate()
    {
        if (_queue.IsEmpty)
        {
            return false;
        }

        long taken = Volatile.Read(ref _taken);
        _stuckTicks = taken == _seenTaken ? _stuckTicks + 1 : 0;
        _seenTaken = taken;
        if (_stuckTicks >= 2)
        {
            Help();
        }

        return true;
    }

    private void Help()
    {
        if (PoolState.IsLate)
        {
            // The work is also queued to the pool again, because application code may block all dedicated threads, and the pool may have a free thread by now.
            _onPool.Send();
        }
        else
        {
            PoolState.NoteLate();
        }

        _onThreads.Send();
    }

    /// <summary>The awaitable that <see cref="Yield"/> returns.</summary>
    public readonly struct Switch(PoolQueue queue) : ICriticalNotifyCompletion
    {
        public bool IsCompleted => false;

        public Switch GetAwaiter() => this;

        public void GetResult()
        {
            // The await has no result.
        }

        public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

        public void UnsafeOnCompleted(Action continuation) => queue.Add(static resume => resume(), continuation);
    }

    private sealed class Item<T>(Action<T> action, T argument) : IThreadPoolWorkItem
    {
        public void Execute() => action(argument);
    }

    // A work item that empties the queue. It is queued at most once. When it starts to run, it can be queued again, so that another thread can continue if one
    // of the work items blocks.
    private sealed class Drain(PoolQueue queue, Action<IThreadPoolWorkItem> send) : IThreadPoolWorkItem
    {
        private int _isSent;

        public void Send()
        {
            if (Interlocked.Exchange(ref _isSent, 1) == 0)
            {
                send(this);
            }
        }

        public void Execute()
        {
            Volatile.Write(ref _isSent, 0);
            while (queue.TryRunOne())
            {
                // TryRunOne does the work.
            }
        }
    }
}
