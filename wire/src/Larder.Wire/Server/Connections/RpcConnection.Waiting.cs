using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>
/// Large responses wait in the store, not in buffers. While more than <see cref="MaxUnsentBytes"/> of the connection's data are blocked by the
/// client's windows, a call that is about to write a large response is deferred and run again later. Small responses never wait for this.
/// </summary>
internal sealed partial class RpcConnection : IThreadPoolWorkItem
{
    /// <summary>The number of response bytes blocked by windows above which no further large response is started.</summary>
    public const int MaxUnsentBytes = 256 * 1024;

    /// <summary>The size above which a response is large. A message of pipelined responses stays below it.</summary>
    public const int LargeAnswerBytes = 128 * 1024;

    // Copying that many bytes takes a tenth of a millisecond. Longer work does not run on the thread that reads for other connections.
    private const int LongAnswerBytes = 512 * 1024;

    // A handler that waits for something else, such as a lease, delays the others no longer than this. It is longer than a Redis node needs for a value.
    private static readonly TimeSpan LongestTurn = TimeSpan.FromMilliseconds(100);

    private readonly Queue<IBufferSpaceWaiter> _waiting = new();
    private long _unsentBytes;
    private bool _runsWaiting;

    /// <summary>Gets the connection's share of the workers' time.</summary>
    public WorkShare Share { get; } = new();

    private bool HasRoom => _unsentBytes <= MaxUnsentBytes || _hasEnded || _isGone;

    /// <summary>Returns whether a response of this size must wait, given the calling thread.</summary>
    public bool MustWait(int bytes) =>
        Volatile.Read(ref _unsentBytes) > MaxUnsentBytes || (bytes > LongAnswerBytes && ReactorThread.Current is not null);

    /// <summary>Runs the waiter on the thread pool as soon as there is space for a large response.</summary>
    public void WaitForBufferSpace(IBufferSpaceWaiter waiter)
    {
        lock (_lock)
        {
            _waiting.Enqueue(waiter);
            RunWaitingIfSpace();
        }
    }

    /// <summary>Runs a call again that waited for space.</summary>
    public Task Resume(RpcStream stream) => _router.Resume(stream.Call, stream.Route!);

    /// <summary>Runs a call with a large request on a worker.</summary>
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

    // One after another: if all waiters ran at once, they would compete for space that one of them fills, and repeat their work for the next.
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

    // The caller must hold the lock.
    private void Unsent(long change)
    {
        _unsentBytes += change;
        RunWaitingIfSpace();
    }

    // The caller must hold the lock. Nothing more of the stream's response is sent.
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

    // The caller must hold the lock.
    private void RunWaitingIfSpace()
    {
        if (_waiting.Count > 0 && HasRoom && !_runsWaiting)
        {
            _runsWaiting = true;
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }
}
