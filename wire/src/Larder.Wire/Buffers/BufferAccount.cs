namespace Larder.Wire;

/// <summary>
/// What one connection holds of a <see cref="BufferBudget"/>. The first <see cref="FreeBytes"/> are its own, so that small calls never touch what all share;
/// what it holds beyond them is taken in steps, up to its own bound. Safe from any thread.
/// </summary>
/// <param name="budget">What all connections share.</param>
/// <param name="unauthenticated">
/// The part of <paramref name="budget"/> for connections that have not authenticated; the account takes from it until <see cref="Authenticate"/>. Null: no
/// connection has to.
/// </param>
internal sealed class BufferAccount(BufferBudget budget, BufferBudget? unauthenticated = null)
{
    /// <summary>
    /// Held without being taken: what a pipeline with some fifty small calls in flight needs, or sixteen unary calls, so that these go on when others have
    /// taken all. A thousand such connections are 64 MB.
    /// </summary>
    public const int FreeBytes = 64 * 1024;

    /// <summary>
    /// The same of a connection that has not authenticated: a stream (4 KB) and the largest request that needs no token (8 KB, in a buffer of at most 16 KB
    /// as it grows), which is all that such a caller needs.
    /// </summary>
    public const int UnauthenticatedFreeBytes = 32 * 1024;

    /// <summary>What is taken at once, so that buffers that grow and shrink touch the shared count seldom.</summary>
    public const int StepBytes = 64 * 1024;

    private readonly Lock _lock = new();
    private BufferBudget? _unauthenticated = unauthenticated;
    private BufferShare? _share;
    private long _heldBytes;
    private long _takenBytes;

    /// <summary>The most that one connection may hold: half of what all may, so that no peer alone keeps all others out.</summary>
    public long MostBytes => Math.Max(OwnBytes, Budget.LimitBytes / 2);

    /// <summary>Bytes that the connection holds.</summary>
    public long HeldBytes => Volatile.Read(ref _heldBytes);

    /// <summary>Bytes of them that are taken from the budget.</summary>
    public long TakenBytes => Volatile.Read(ref _takenBytes);

    /// <summary>Whether the slow are to be given up sooner; see <see cref="BufferBudget.IsTight"/>.</summary>
    public bool IsTight => budget.IsTight || Budget.IsTight;

    // Where it takes from now.
    private BufferBudget Budget => Volatile.Read(ref _unauthenticated) ?? budget;

    // What it holds without taking it.
    private int OwnBytes => Volatile.Read(ref _unauthenticated) is null ? FreeBytes : UnauthenticatedFreeBytes;

    /// <summary>The connection has authenticated: from now on it takes from what all share, and what it has taken so far counts there.</summary>
    public void Authenticate()
    {
        lock (_lock)
        {
            if (_unauthenticated is not { } part)
            {
                return;
            }

            part.GiveToWhole(_takenBytes);
            Volatile.Write(ref _unauthenticated, null);
            GiveSpare();
        }
    }

    /// <summary>From now on the connection's bytes count in the share of its user; what it has taken so far is moved there.</summary>
    public void Join(BufferShare share)
    {
        lock (_lock)
        {
            if (_share != share)
            {
                _share?.Add(-_takenBytes);
                share.Add(_takenBytes);
                _share = share;
            }
        }
    }

    /// <summary>Notes that the connection is about to hold more; false, and nothing noted, where it may not.</summary>
    public bool TryHold(int bytes)
    {
        lock (_lock)
        {
            long held = _heldBytes + bytes;
            long more = Math.Max(0, TakenFor(held) - _takenBytes);
            if (held > MostBytes || (more > 0 && !(_share?.TryTake(Budget, more) ?? Budget.TryTake(more))))
            {
                Budget.CountRefusal();
                return false;
            }

            _heldBytes = held;
            _takenBytes += more;
            return true;
        }
    }

    /// <summary>Notes that the connection is about to hold more.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: it may not.</exception>
    public void Hold(int bytes)
    {
        if (!TryHold(bytes))
        {
            throw Exhausted();
        }
    }

    /// <summary>Notes that the connection holds less.</summary>
    public void Release(int bytes)
    {
        lock (_lock)
        {
            _heldBytes -= bytes;
            GiveSpare();
        }
    }

    /// <summary>What a call is told for which there is no memory.</summary>
    public static RpcException Exhausted() => new(
        new Status(StatusCode.ResourceExhausted, "The server has no memory left for a message of this size; try again later."),
        [new(RpcException.CauseTrailer, RpcException.MemoryLimitCause)]);

    // Under the lock.
    private void GiveSpare()
    {
        long less = _takenBytes - TakenFor(_heldBytes);
        if (less > 0)
        {
            _takenBytes -= less;
            _share?.Add(-less);
            Budget.Give(less);
        }
    }

    private long TakenFor(long held) => held <= OwnBytes ? 0 : (held - OwnBytes + StepBytes - 1) / StepBytes * StepBytes;
}
