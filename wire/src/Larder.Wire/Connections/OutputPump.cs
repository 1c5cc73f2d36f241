using Larder.Wire.Http2;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>
/// Sends the frames of a connection, on client and server. Frames are queued in one buffer, under the connection's lock, while the other buffer is being sent.
/// A single frame is therefore sent immediately, and frames that are added during a send are sent together. One thread at a time runs the pump. This is the
/// thread for which <see cref="TryWake"/> returned true.
/// </summary>
/// <param name="transport">The transport to send to.</param>
/// <param name="guard">The connection's lock.</param>
/// <param name="owner">The connection that owns the pump.</param>
/// <param name="keptBytes">The size, in bytes, of the array that each of the two buffers keeps between sends.</param>
internal sealed class OutputPump(IByteTransport transport, Lock guard, IPumpOwner owner, int keptBytes) : IThreadPoolWorkItem, IDisposable
{
    private FrameBuffer _sending = new(keptBytes);
    private Action<Task>? _onSent;
    private LaterRun? _later;
    private bool _isAwake;
    private bool _isRunning;
    private long _queuedAtTick = -1;
    private bool _isStopped;
    private bool _isDisposed;
    private long _sendingSinceMs;

    /// <summary>
    /// Gets a work item that sends the queued frames. If another thread is about to send them, the work item does nothing, so it can be run later.
    /// </summary>
    public IThreadPoolWorkItem Later => _later ??= new LaterRun(this);

    /// <summary>Gets the queued frames. The caller must hold the lock.</summary>
    public FrameBuffer Frames { get; private set; } = new(keptBytes);

    /// <summary>
    /// Gets the number of times that the queued frames were taken to be sent. The current content of <see cref="Frames"/> is sent when this number increases
    /// the next time. The caller must hold the lock.
    /// </summary>
    public long Taken { get; private set; }

    /// <summary>Gets whether a thread runs the pump or is about to run it.</summary>
    public bool IsAwake => Volatile.Read(ref _isAwake);

    /// <summary>
    /// Gets whether the pump was woken but does not run yet, for example because the thread pool has no free thread. The value is read without the
    /// lock and may be out of date.
    /// </summary>
    public bool IsQueued => Volatile.Read(ref _isAwake) && !Volatile.Read(ref _isRunning);

    /// <summary>
    /// Returns whether the pump has been waiting for its thread since the previous tick. If so, the caller may run the pump on another thread. The original
    /// thread then finds nothing left to do. Call this method on every tick while the pump is queued.
    /// </summary>
    public bool IsLate()
    {
        lock (guard)
        {
            bool isQueued = _isAwake && !_isRunning;
            bool isLate = isQueued && _queuedAtTick == Taken;
            _queuedAtTick = isQueued ? Taken : -1;
            return isLate;
        }
    }

    /// <summary>
    /// Gets the time at which the current send began to wait for the peer, as <see cref="Environment.TickCount64"/>, or 0 if no send is waiting.
    /// </summary>
    public long SendingSinceMs => Volatile.Read(ref _sendingSinceMs);

    /// <summary>Wakes the pump. Returns true if the caller must run it after releasing the lock. The caller must hold the lock.</summary>
    public bool TryWake()
    {
        if (_isAwake || _isStopped)
        {
            return false;
        }

        _isAwake = true;
        return true;
    }

    /// <summary>
    /// Cancels a wake-up, because the thread that woke the pump will not run it. Queued frames are sent at the next wake-up. The caller must hold the lock.
    /// </summary>
    public void Rest()
    {
        if (!_isRunning)
        {
            Sleep();
        }
    }

    /// <summary>Stops the pump. Nothing more is sent. The caller must hold the lock.</summary>
    public void Stop() => _isStopped = true;

    /// <summary>
    /// Stops the pump. Releases its buffers only when the pump sleeps, because a send may still read them. Frames that are added afterwards, such as a reset,
    /// are not sent. The caller must hold the lock.
    /// </summary>
    public void Dispose()
    {
        _isStopped = true;
        _isDisposed = true;
        GiveBack();
    }

    /// <summary>Runs the pump. Called by the thread that woke the pump.</summary>
    void IThreadPoolWorkItem.Execute() => Run();

    /// <summary>
    /// Sends the queued frames until none are left. Does nothing if another thread runs the pump or has run it instead of this thread (see
    /// <see cref="IsLate"/>).
    /// </summary>
    public void Run() => Run(isBegun: false);

    private void Run(bool isBegun)
    {
        try
        {
            while (TryTake(isBegun))
            {
                isBegun = true;
                ValueTask send = transport.SendAsync(_sending.Written);
                if (!send.IsCompleted)
                {
                    Volatile.Write(ref _sendingSinceMs, Environment.TickCount64);
                    // Unlike an await, this needs no free pool thread if the send completes before the continuation is registered.
                    send.AsTask().ContinueWith(
                        _onSent ??= OnSent, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
                    return;
                }

                send.GetAwaiter().GetResult();
                _sending.Clear();
            }
        }
#pragma warning disable CA1031 // Any exception from a send ends the connection: nothing can be sent after it.
        catch (Exception error)
#pragma warning restore CA1031
        {
            Break(error);
        }
    }

    private void OnSent(Task send)
    {
        Volatile.Write(ref _sendingSinceMs, 0);
        try
        {
            send.GetAwaiter().GetResult();
            _sending.Clear();
        }
#pragma warning disable CA1031 // As above.
        catch (Exception error)
#pragma warning restore CA1031
        {
            Break(error);
            return;
        }

        Run(isBegun: true);
    }

    private bool TryTake(bool isBegun)
    {
        lock (guard)
        {
            if (!isBegun && (!_isAwake || _isRunning))
            {
                return false;
            }

            if (_isStopped || !owner.Gather() || Frames.IsEmpty)
            {
                Sleep();
                owner.OnEmpty();
                return false;
            }

            Volatile.Write(ref _isRunning, true);
            (Frames, _sending) = (_sending, Frames);
            Taken++;
            owner.OnTaken();
            return true;
        }
    }

    private void Break(Exception error)
    {
        owner.OnBroken(error);
        lock (guard)
        {
            Sleep();
        }
    }

    private void Sleep()
    {
        Volatile.Write(ref _isRunning, false);
        Volatile.Write(ref _isAwake, false);
        GiveBack();
    }

    private void GiveBack()
    {
        if (_isDisposed && !_isAwake)
        {
            Frames.Dispose();
            _sending.Dispose();
        }
    }

    private void RunIfLeft()
    {
        bool wakes;
        lock (guard)
        {
            wakes = !Frames.IsEmpty && TryWake();
        }

        if (wakes)
        {
            Run();
        }
    }

    private sealed class LaterRun(OutputPump pump) : IThreadPoolWorkItem
    {
        public void Execute() => pump.RunIfLeft();
    }
}
