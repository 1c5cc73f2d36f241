namespace Larder.Wire;

/// <summary>What the connection holds of the server's <see cref="BufferBudget"/>, and how it lets go of it.</summary>
internal sealed partial class RpcConnection
{
    // Answers in frames before the budget is asked: with the array that follows, 64 KB.
    private const int UncountedPendingBytes = 32 * 1024;

    // Two buffers, one that is sent while the other fills, each an array of 256 KB at the most.
    private const int PendingHeldBytes = 2 * 256 * 1024;

    // A connection that has had no call for so long is idle: the next call finds small buffers.
    private const int IdleAfterMs = 2_000;

    private readonly BufferAccount _account;
    private int _maxPendingBytes = UncountedPendingBytes;

    // True where no more may be framed, or read, until the peer has taken some.
    private bool IsFull => Gathered.Length > _maxPendingBytes && !TryRaiseMaxPending();

    /// <summary>What the connection holds.</summary>
    public BufferAccount Account => _account;

    // Back-pressure, not refusal: with no memory left the connection goes on with the little that is its own.
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

    // Under the lock. Nothing waits to be sent.
    private void LowerMaxPending()
    {
        if (_maxPendingBytes != UncountedPendingBytes)
        {
            _maxPendingBytes = UncountedPendingBytes;
            _account.Release(PendingHeldBytes);
        }
    }

    // Null where there is no memory for one more.
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

    // A stream that was rented and serves no call.
    private void GiveBack(RpcStream stream)
    {
        lock (_lock)
        {
            Recycle(stream);
        }
    }

    // Takes in what arrived; false where it is nobody's: there is no memory for it, or its call has failed.
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

    // Under the lock. The stream is over: it is kept for the next call, or what it holds is let go.
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

    // By the clock's thread.
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

    // Under the lock.
    private void DropFree()
    {
        while (_free.TryPop(out RpcStream? stream))
        {
            stream.Dispose();
            _account.Release(RpcStream.HeldBytes);
        }
    }
}
