using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Larder.Wire.Http2;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>
/// How a connection's frames leave, in both roles. They gather in one buffer, under the connection's lock, while the other is sent: a lone frame leaves at
/// once, and those that come during a send travel together. One thread at a time runs the pump: whoever was told by <see cref="TryWake"/>.
/// </summary>
/// <param name="transport">Where they go.</param>
/// <param name="guard">The connection's lock.</param>
/// <param name="owner">The connection.</param>
/// <param name="keptBytes">What each of the two buffers keeps between sends.</param>
internal sealed class OutputPump(IByteTransport transport, Lock guard, IPumpOwner owner, int keptBytes) : IThreadPoolWorkItem, IDisposable
{
    private FrameBuffer _sending = new(keptBytes);
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _awaiter;
    private Action? _onSent;
    private LaterRun? _later;
    private bool _isAwake;
    private bool _isRunning;
    private long _queuedAtTick = -1;
    private bool _isStopped;
    private bool _isDisposed;
    private long _sendingSinceMs;

    /// <summary>Sends what is gathered, where nobody is about to: work that may be left for later.</summary>
    public IThreadPoolWorkItem Later => _later ??= new LaterRun(this);

    /// <summary>What is gathered. Under the lock.</summary>
    public FrameBuffer Frames { get; private set; } = new(keptBytes);

    /// <summary>How often they were taken to be sent: what is in <see cref="Frames"/> now leaves, if ever, after so many. Under the lock.</summary>
    public long Taken { get; private set; }

    /// <summary>Whether somebody runs it, or is about to.</summary>
    public bool IsAwake => Volatile.Read(ref _isAwake);

    /// <summary>
    /// True while it was woken and nobody runs it yet, as when the pool has no free thread for it. Read without the lock, it may be out of date.
    /// </summary>
    public bool IsQueued => Volatile.Read(ref _isAwake) && !Volatile.Read(ref _isRunning);

    /// <summary>
    /// Called every tick while it is queued. True if it has been queued since the tick before: it may then be run by somebody else, and whoever was to run it
    /// finds nothing to do.
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

    /// <summary>Since when a send has waited for the peer, by <see cref="Environment.TickCount64"/>; 0 where none does.</summary>
    public long SendingSinceMs => Volatile.Read(ref _sendingSinceMs);

    /// <summary>Under the lock. True where the caller must run it, once it has left the lock.</summary>
    public bool TryWake()
    {
        if (_isAwake || _isStopped)
        {
            return false;
        }

        _isAwake = true;
        return true;
    }

    /// <summary>Under the lock. It is not run after all, by whoever woke it: what is gathered leaves with what wakes it next.</summary>
    public void Rest()
    {
        if (!_isRunning)
        {
            Sleep();
        }
    }

    /// <summary>Under the lock. Nothing more is sent.</summary>
    public void Stop() => _isStopped = true;

    /// <summary>
    /// Under the lock. Stops it, and gives the buffers back once it sleeps: a send may still look at them. What is added all the same, such as a reset, is
    /// nobody's to send.
    /// </summary>
    public void Dispose()
    {
        _isStopped = true;
        _isDisposed = true;
        GiveBack();
    }

    /// <summary>Runs it, for whoever woke it.</summary>
    void IThreadPoolWorkItem.Execute() => Run();

    /// <summary>
    /// Sends what is gathered until there is nothing left. For whoever woke it; nothing happens if somebody else runs it in its place (see
    /// <see cref="IsLate"/>), or has.
    /// </summary>
    public void Run() => Run(isBegun: false);

    [SuppressMessage("Reliability", "CA2012", Justification = "The awaiter is kept and asked once, here or by OnSent.")]
    private void Run(bool isBegun)
    {
        try
        {
            while (TryTake(isBegun))
            {
                isBegun = true;
                ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter awaiter = transport.SendAsync(_sending.Written).ConfigureAwait(false).GetAwaiter();
                if (!awaiter.IsCompleted)
                {
                    _awaiter = awaiter;
                    Volatile.Write(ref _sendingSinceMs, Environment.TickCount64);
                    awaiter.UnsafeOnCompleted(_onSent ??= OnSent);
                    return;
                }

                awaiter.GetResult();
                _sending.Clear();
            }
        }
#pragma warning disable CA1031 // Whatever a send throws ends the connection: nothing could be sent after it.
        catch (Exception error)
#pragma warning restore CA1031
        {
            Break(error);
        }
    }

    private void OnSent()
    {
        Volatile.Write(ref _sendingSinceMs, 0);
        try
        {
            _awaiter.GetResult();
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
