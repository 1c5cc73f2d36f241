using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>
/// Contains the code that delays large responses. Their data stays in the store and is not copied into buffers. While more than <see cref="MaxUnsentBytes"/> of
/// the connection's data are blocked by the client's windows, a call that is about to write a large response is deferred and run again later. Small responses
/// are never deferred.
/// </summary>
internal sealed partial class RpcConnection : IThreadPoolWorkItem
{
    /// <summary>The maximum number of response bytes that are blocked by windows. Above this number, no further large response is started.</summary>
    public const int MaxUnsentBytes = 256 * 1024;

    /// <summary>The size above which a response is large. A message that contains the responses of several pipelined operations is smaller.</summary>
    public const int LargeAnswerBytes = 128 * 1024;

    // The size above which a response is not copied on a thread that also reads for other connections. Copying that many bytes takes a tenth of a millisecond.
    private const int LongAnswerBytes = 512 * 1024;

    // The waiting handlers run one after another. If a handler does not complete within this time, the next handler starts. The slow handler is probably
    // waiting for another event, for example for a lease. Reading a value from a Redis node takes less time.
    private static readonly TimeSpan LongestTurn = TimeSpan.FromMilliseconds(100);

    private readonly Queue<IBufferSpaceWaiter> _waiting = new();
    private long _unsentBytes;
    private bool _runsWaiting;

    /// <summary>Gets the connection's share of the workers' time.</summary>
    public WorkShare Share { get; } = new();

    private bool HasRoom => _unsentBytes <= MaxUnsentBytes || _hasEnded || _isGone;

    /// <summary>Returns whether a response of this size must wait. On a reactor's thread, a very large response must always wait.</summary>
    public bool MustWait(int bytes) =>
        Volatile.Read(ref _unsentBytes) > MaxUnsentBytes || (bytes > LongAnswerBytes && ReactorThread.Current is not null);

    /// <summary>Queues a waiter. It runs on the thread pool as soon as there is space for a large response.</summary>
    public void WaitForBufferSpace(IBufferSpaceWaiter waiter)
    {
        lock (_lock)
        {
            _waiting.Enqueue(waiter);
            RunWaitingIfSpace();
        }
    }

    /// <summary>Runs the handler of a call again after the call has waited for space.</summary>
    public Task Resume(RpcStream stream) => _router.Resume(stream.Call, stream.Route!);

    /// <summary>Runs the handler of a call with a large request. Called on a worker.</summary>
    public void RunOnWorker(RpcStream stream)
    {
        if (stream.IsAborted)
        {
            _router.Drop(stream.Call);
        }
        else
        {
            _router.Run(stream.Call, stream.Route!);
        }
    }

    void IThreadPoolWorkItem.Execute() => _ = RunWaitingAsync();

    // Runs the waiters one after another. If all waiters ran concurrently, they would compete for the space. One of them would fill it, and all others would
    // have to repeat their work.
    private async Task RunWaitingAsync()
    {
        while (TakeWaiting() is { } waiter)
        {
            Task run = waiter.OnSpaceAvailable();
            if (!run.IsCompleted)
            {
                await Task.WhenAny(run, Task.Delay(LongestTurn)).ConfigureAwait(false);
            }
        }
    }

    private IBufferSpaceWaiter? TakeWaiting()
    {
        lock (_lock)
        {
            if (HasRoom && _waiting.TryDequeue(out IBufferSpaceWaiter? waiter))
            {
                return waiter;
            }

            _runsWaiting = false;
            return null;
        }
    }

    // Changes the number of response bytes that are blocked by windows. The caller must hold the lock.
    private void Unsent(long change)
    {
        _unsentBytes += change;
        RunWaitingIfSpace();
    }

    // Removes a stream from the blocked streams, because nothing more of its response is sent. The caller must hold the lock.
    private void Unblock(RpcStream stream)
    {
        if (stream.IsBlocked)
        {
            Unqueue(stream);
            stream.IsBlocked = false;
            Unsent(-stream.UnsentBytes);
            stream.UnsentBytes = 0;
        }
    }

    // Starts to run the waiters on the thread pool if there is space for a large response. The caller must hold the lock.
    private void RunWaitingIfSpace()
    {
        if (_waiting.Count > 0 && HasRoom && !_runsWaiting)
        {
            _runsWaiting = true;
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }
}
