using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Larder.Wire.Threads;

/// <summary>
/// Work that runs on the thread pool, and on dedicated threads when the pool takes none of it for two ticks of a <see cref="Ticker"/>, some 20 ms.
/// <para>
/// Design. Each addition queues one item to the pool, which takes the oldest work there is. What the pool has not taken in time is taken by a dedicated thread
/// that empties the queue; the pool's items then find nothing. Bound: calls and connections, each of which is in it once at most.
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
        _watch = new Ticker(DedicatedTime.Instance, HelpIfLate);
    }

    /// <summary>The library's own work, which is short and runs no application code but loggers and meters.</summary>
    public static PoolQueue Work { get; } = new(DedicatedThreads.Shared);

    /// <summary>Callers that are woken, and application code that is called.</summary>
    public static PoolQueue Callers { get; } = new(DedicatedThreads.Callers);

    /// <summary>Adds work. It may not throw.</summary>
    public void Add(IThreadPoolWorkItem work)
    {
        _queue.Enqueue(work);
        PoolState.Queue(this, _threads);
        _watch.Wake();
    }

    /// <summary>Adds work. It may not throw.</summary>
    public void Add<T>(Action<T> action, T argument) => Add(new Item<T>(action, argument));

    /// <summary>Awaiting this continues the method as work of the queue, on another thread.</summary>
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

    // True while there is work that nobody has taken.
    private bool HelpIfLate()
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
            // The dedicated threads may all be blocked by callers, and the pool have a free one again.
            _onPool.Send();
        }
        else
        {
            PoolState.NoteLate();
        }

        _onThreads.Send();
    }

    /// <summary>The awaitable of <see cref="Yield"/>.</summary>
    public readonly struct Switch(PoolQueue queue) : ICriticalNotifyCompletion
    {
        public bool IsCompleted => false;

        public Switch GetAwaiter() => this;

        public void GetResult()
        {
            // It has no result.
        }

        public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

        public void UnsafeOnCompleted(Action continuation) => queue.Add(static resume => resume(), continuation);
    }

    private sealed class Item<T>(Action<T> action, T argument) : IThreadPoolWorkItem
    {
        public void Execute() => action(argument);
    }

    // Empties the queue. In a queue of threads once at most, until it begins: one that is held up by what it runs is followed by another.
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
                // The next.
            }
        }
    }
}
