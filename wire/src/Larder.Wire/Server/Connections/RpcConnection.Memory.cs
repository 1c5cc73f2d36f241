namespace Larder.Wire;

/// <summary>Contains the connection's use of the server's <see cref="BufferBudget"/>.</summary>
internal sealed partial class RpcConnection
{
    // The number of response bytes that may be queued without taking memory from the budget. Because the array doubles when it grows, this needs up to 64 KB.
    private const int UncountedPendingBytes = 32 * 1024;

    // The memory of the two output buffers. One buffer is sent while the other is filled. Each has an array of at most 256 KB.
    private const int PendingHeldBytes = 2 * 256 * 1024;

    // The time without a call after which a connection is idle. Its buffers then shrink, and the next call starts with small buffers.
    private const int IdleAfterMs = 2_000;

    private readonly BufferAccount _account;
    private int _maxPendingBytes = UncountedPendingBytes;

    // True if no more data may be framed or read until the client has received some of the queued bytes.
    private bool IsFull => Gathered.Length > _maxPendingBytes && !TryRaiseMaxPending();

    /// <summary>Gets the memory account of the connection.</summary>
    public BufferAccount Account => _account;

    // Raises the limit of unsent bytes if the budget has enough memory. If it has not, the connection continues with its own small limit. The effect is
    // backpressure and not an error.
    private bool TryRaiseMaxPending()
    {
        lock (_lock)
        {
            if (_maxPendingBytes == UncountedPendingBytes && !_hasEnded && _account.TryHold(PendingHeldBytes))
            {
                _maxPendingBytes = MaxPendingBytes;
            }

            return Gathered.Length <= _maxPendingBytes;
        }
    }

    // Lowers the limit of unsent bytes again, and returns the memory to the budget. The caller must hold the lock. The output buffer must be empty.
    private void LowerMaxPending()
    {
        if (_maxPendingBytes != UncountedPendingBytes)
        {
            _maxPendingBytes = UncountedPendingBytes;
            _account.Release(PendingHeldBytes);
        }
    }

    // Returns a stream for a new call, or null if there is not enough memory for another stream.
    private RpcStream? TryRent()
    {
        lock (_lock)
        {
            if (_free.TryPop(out RpcStream? free))
            {
                return free;
            }
        }

        return _account.TryHold(RpcStream.HeldBytes) ? new RpcStream(this) : null;
    }

    // Gives back a rented stream that was not used for a call.
    private void GiveBack(RpcStream stream)
    {
        lock (_lock)
        {
            Recycle(stream);
        }
    }

    // Adds the received data to the stream. Returns false if the data is dropped because there is not enough memory or the call has failed.
    private bool TryAdd(RpcStream stream, ReadOnlySpan<byte> data)
    {
        RpcException? refusal = null;
        if (!stream.Input.HasFailed)
        {
            try
            {
                stream.Input.Add(data);
                return true;
            }
            catch (RpcException exhausted)
            {
                refusal = exhausted;
            }
        }

        GiveBack(data.Length);
        if (refusal is not null)
        {
            FailRequest(stream, refusal);
        }

        return false;
    }

    // Keeps an ended stream for the next call, or releases the memory of the stream. The caller must hold the lock.
    private void Recycle(RpcStream stream)
    {
        if (!stream.IsTainted && stream.Route is SingleRequestRoute && stream.Input.IsEnded && _free.Count < MaxFreeStreams && !_hasEnded)
        {
            stream.Input.LetGo();
            _free.Push(stream);
        }
        else
        {
            stream.Abandon();
            _account.Release(RpcStream.HeldBytes);
        }
    }

    // Shrinks the buffers of an idle connection. Called by the timer thread.
    private void TrimIfIdle(long now)
    {
        if (now - Volatile.Read(ref _lastReceivedMs) < IdleAfterMs)
        {
            return;
        }

        _received.ShrinkSoon();
        long before = _account.TakenBytes;
        lock (_lock)
        {
            foreach (RpcStream stream in _streams.Values)
            {
                if (stream.Route is DuplexRoute)
                {
                    stream.Input.Trim();
                }
            }

            if (_streams.Count == 0)
            {
                DropFree();
            }

            IdleMemory.OfProcess.Dropped(before - _account.TakenBytes);
        }
    }

    // Releases the streams that were kept for further calls. The caller must hold the lock.
    private void DropFree()
    {
        while (_free.TryPop(out RpcStream? stream))
        {
            stream.Dispose();
            _account.Release(RpcStream.HeldBytes);
        }
    }
}
