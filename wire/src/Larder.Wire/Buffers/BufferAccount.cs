namespace Larder.Wire;

/// <summary>
/// Counts the memory that one connection takes from a <see cref="BufferBudget"/>. The first <see cref="FreeBytes"/> are not taken from the budget, so small
/// calls never change the shared counter. Further bytes are taken in steps, up to the limit of one connection. Thread-safe.
/// </summary>
/// <param name="budget">The budget that all connections share.</param>
/// <param name="unauthenticated">
/// The part of <paramref name="budget"/> for connections that have not authenticated. The account takes from it until <see cref="Authenticate"/> is called.
/// Null if authentication is not required.
/// </param>
internal sealed class BufferAccount(BufferBudget budget, BufferBudget? unauthenticated = null)
{
    /// <summary>
    /// The number of bytes that a connection can use without taking them from the budget. They are enough for a pipeline with about fifty small calls, or for
    /// sixteen unary calls. These calls therefore continue when other connections have exhausted the budget. A thousand connections can use 64 MB in this way.
    /// </summary>
    public const int FreeBytes = 64 * 1024;

    /// <summary>
    /// The number of bytes that an unauthenticated connection can use without taking them from the budget. They are enough for one stream (4 KB) and for the
    /// largest request that needs no token (8 KB, in a buffer that grows to at most 16 KB).
    /// </summary>
    public const int UnauthenticatedFreeBytes = 32 * 1024;

    /// <summary>
    /// The size, in bytes, of the steps in which memory is taken from the budget. With such large steps, a buffer that grows and shrinks rarely changes the
    /// shared counter.
    /// </summary>
    public const int StepBytes = 64 * 1024;

    private readonly Lock _lock = new();
    private BufferBudget? _unauthenticated = unauthenticated;
    private BufferShare? _share;
    private long _heldBytes;
    private long _takenBytes;

    /// <summary>
    /// Gets the maximum number of bytes that one connection can use. This is half of the budget, so that no single peer can exclude all other peers.
    /// </summary>
    public long MaxBytes => Math.Max(OwnBytes, Budget.LimitBytes / 2);

    /// <summary>Gets the number of bytes that the connection uses.</summary>
    public long HeldBytes => Volatile.Read(ref _heldBytes);

    /// <summary>Gets the number of used bytes that are taken from the budget.</summary>
    public long TakenBytes => Volatile.Read(ref _takenBytes);

    /// <summary>Gets whether slow peers should be dropped sooner, because more than half of the budget is taken (<see cref="BufferBudget.IsTight"/>).</summary>
    public bool IsTight => budget.IsTight || Budget.IsTight;

    // The budget from which bytes are currently taken.
    private BufferBudget Budget => Volatile.Read(ref _unauthenticated) ?? budget;

    // The number of bytes that the connection can currently use without taking them from a budget.
    private int OwnBytes => Volatile.Read(ref _unauthenticated) is null ? FreeBytes : UnauthenticatedFreeBytes;

    /// <summary>
    /// Marks the connection as authenticated. Further bytes are taken from the whole budget, and the bytes that the connection has already taken are counted
    /// there.
    /// </summary>
    public void Authenticate()
    {
        lock (_lock)
        {
            if (_unauthenticated is not { } part)
            {
                return;
            }

            part.ReturnToBudget(_takenBytes);
            Volatile.Write(ref _unauthenticated, null);
            ReturnSpare();
        }
    }

    /// <summary>Assigns the connection to the share of its user. The bytes taken so far are moved to that share, and further bytes are counted there.</summary>
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

    /// <summary>Records that the connection is about to use more bytes. Returns false and records nothing if the limit would be exceeded.</summary>
    public bool TryHold(int bytes)
    {
        lock (_lock)
        {
            long held = _heldBytes + bytes;
            long more = Math.Max(0, TakenFor(held) - _takenBytes);
            if (held > MaxBytes || (more > 0 && !(_share?.TryTake(Budget, more) ?? Budget.TryTake(more))))
            {
                Budget.CountRefusal();
                return false;
            }

            _heldBytes = held;
            _takenBytes += more;
            return true;
        }
    }

    /// <summary>Records that the connection is about to use more bytes.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: the limit would be exceeded.</exception>
    public void Hold(int bytes)
    {
        if (!TryHold(bytes))
        {
            throw Exhausted();
        }
    }

    /// <summary>Records that the connection has released bytes.</summary>
    public void Release(int bytes)
    {
        lock (_lock)
        {
            _heldBytes -= bytes;
            ReturnSpare();
        }
    }

    /// <summary>Returns the error for a call for which there is not enough memory.</summary>
    public static RpcException Exhausted() => new(
        new Status(StatusCode.ResourceExhausted, "The server does not have enough memory for a message of this size; try again later."),
        [new(RpcException.CauseTrailer, RpcException.MemoryLimitCause)]);

    // Returns to the budget the bytes that the connection no longer uses. The caller must hold the lock.
    private void ReturnSpare()
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
