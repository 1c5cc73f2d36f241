using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>
/// Large answers wait in the store, not in buffers: while the connection has more than <see cref="MaxUnsentBytes"/> that its peer's windows do not take, a call
/// that is about to write a large one is put off, and run again when there is room. Small answers never wait for it.
/// </summary>
internal sealed partial class RpcConnection : IThreadPoolWorkItem
{
    /// <summary>Bytes of answers that windows keep back, past which no other large answer is begun.</summary>
    public const int MaxUnsentBytes = 256 * 1024;

    /// <summary>An answer above it is large: what a pipeline sends in one message, and less, is not.</summary>
    public const int LargeAnswerBytes = 128 * 1024;

    // Copying it takes a tenth of a millisecond: longer work than that leaves the thread that reads for others.
    private const int LongAnswerBytes = 512 * 1024;

    // A handler that waits for something else, as for a lease, does not keep the others waiting for longer. More than a node of Redis takes for a value.
    private static readonly TimeSpan LongestTurn = TimeSpan.FromMilliseconds(100);

    private readonly Queue<IRoomWaiter> _waiting = new();
    private long _unsentBytes;
    private bool _runsWaiting;

    /// <summary>The connection's part of the workers' time.</summary>
    public WorkShare Share { get; } = new();

    private bool HasRoom => _unsentBytes <= MaxUnsentBytes || _hasEnded || _isGone;

    /// <summary>Whether an answer of this size is to wait, on the thread that asks.</summary>
    public bool MustWait(int bytes) =>
        Volatile.Read(ref _unsentBytes) > MaxUnsentBytes || (bytes > LongAnswerBytes && ReactorThread.Current is not null);

    /// <summary>Runs the waiter on the thread pool as soon as there is room for a large answer.</summary>
    public void WaitForRoom(IRoomWaiter waiter)
    {
        lock (_lock)
        {
            _waiting.Enqueue(waiter);
            RunWaitingIfRoom();
        }
    }

    /// <summary>Runs a call again that waited for room.</summary>
    public Task Resume(RpcStream stream) => _router.Resume(stream.Call, stream.Route!);

    /// <summary>Runs a call whose request is large, on a worker.</summary>
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

    // One after the other: all that wait at once would do their work for a room that one of them fills, and do it again for the next.
    private async Task RunWaitingAsync()
    {
        while (TakeWaiting() is { } waiter)
        {
            Task run = waiter.OnRoom();
            if (!run.IsCompleted)
            {
                await Task.WhenAny(run, Task.Delay(LongestTurn)).ConfigureAwait(false);
            }
        }
    }

    private IRoomWaiter? TakeWaiting()
    {
        lock (_lock)
        {
            if (HasRoom && _waiting.TryDequeue(out IRoomWaiter? waiter))
            {
                return waiter;
            }

            _runsWaiting = false;
            return null;
        }
    }

    // Under the lock.
    private void Unsent(long change)
    {
        _unsentBytes += change;
        RunWaitingIfRoom();
    }

    // Under the lock. Nothing more of the stream's answer is sent.
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

    // Under the lock.
    private void RunWaitingIfRoom()
    {
        if (_waiting.Count > 0 && HasRoom && !_runsWaiting)
        {
            _runsWaiting = true;
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }
}
