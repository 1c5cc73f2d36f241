using System.Diagnostics;
using Larder.Client.Gateways;
using Larder.Client.Near;
using Larder.Client.Operations;
using Larder.Wire.Protobuf;

namespace Larder.Client.Calls;

/// <summary>
/// One call from request to response. A single reused object serves as the limiter's waiter, the transport's unit of work and the caller's awaitable, so in the
/// steady state a call allocates only its result.
/// <para>
/// Design: one 64-bit field contains the <see cref="CallPhase"/> and a version. The version increases with each use of the object. Code that refers to a call
/// also stores the version. Before it acts on the call, it changes the phase with a compare-and-swap, which fails if the object has a different version by
/// then. A response, a deadline, a cancellation and a grant of a permit may race, and exactly one of them wins. Only the winner of <see cref="TryEnd"/> sets
/// the response, returns the permit and completes the caller's task. The object is reused only after the caller has taken the response.
/// </para>
/// </summary>
internal abstract class Call(CallRunner runner) : LimiterWaiter, IThreadPoolWorkItem
{
    private const int PhaseBits = 3;
    private const long PhaseMask = (1 << PhaseBits) - 1;

    private long _word;

    public CallRunner Runner { get; } = runner;

    public string Cache { get; private set; } = "";

    public long StartedAt { get; private set; }

    /// <summary>Gets or sets the time when the permit was granted, or 0 if it has not been granted.</summary>
    public long GrantedAt { get; set; }

    public long DeadlineAt { get; private set; }

    public long RetryAt { get; set; }

    /// <summary>Gets or sets the number of attempts, including those without a connection.</summary>
    public int Attempts { get; set; }

    /// <summary>Gets or sets the number of attempts that had a connection.</summary>
    public int Sends { get; set; }

    public Failure LastFailure { get; set; }

    public bool HasFailed { get; set; }

    /// <summary>Gets or sets the number of times the call has waited for a new token after the server rejected its token.</summary>
    public int Renewals { get; set; }

    /// <summary>Gets or sets whether the call was sent on another stream at once because its stream was lost (PIPE-22). This happens once.</summary>
    public bool HasMoved { get; set; }

    /// <summary>Gets or sets whether the call is waiting for the provider's token.</summary>
    public bool AwaitsToken { get; set; }

    public Activity? Activity { get; set; }

    public CancellationTokenRegistration Registration { get; set; }

    /// <summary>
    /// Gets or sets the source that cancels the current unary attempt. The first attempt creates it. Later attempts reuse it until it is cancelled.
    /// </summary>
    public CancellationTokenSource? UnaryAbandonment { get; set; }

    /// <summary>Gets or sets whether this object is in the table of the deadline sweep. Written only by the sweep.</summary>
    public bool IsSwept { get; set; }

    /// <summary>Gets or sets the connection of this attempt. Used only by the transport, together with <see cref="RouteId"/>.</summary>
    public object? Route { get; set; }

    public int RouteId { get; set; }

    /// <summary>Gets or sets the gateway of the last attempt, or null if there was no attempt or there is only one gateway.</summary>
    public Gateway? Gateway { get; set; }

    /// <summary>
    /// Gets or sets the near get that is the current attempt, or null if the attempt is not a near get. Accessed only by the thread that holds the call (see
    /// <see cref="CallPhase.Busy"/>), or by the winner of <see cref="TryEnd"/>.
    /// </summary>
    public NearGet? NearGet { get; set; }

    public abstract OperationInfo Operation { get; }

    /// <summary>Gets the response. Valid from the end of the call until the caller takes it.</summary>
    public abstract object Response { get; }

    public abstract int KeyLength { get; }

    internal sealed override long WaiterVersion => Version;

    public long Version => Volatile.Read(ref _word) >> PhaseBits;

    public CallPhase Phase => (CallPhase)(Volatile.Read(ref _word) & PhaseMask);

    /// <summary>Returns the version and the phase, read atomically.</summary>
    public (long Version, CallPhase Phase) Snapshot()
    {
        long word = Volatile.Read(ref _word);
        return (word >> PhaseBits, (CallPhase)(word & PhaseMask));
    }

    /// <summary>Starts a new use of the object: moves it from idle to queued. Returns the version.</summary>
    public long Begin(string cache, long now, long deadlineAt)
    {
        Cache = cache;
        StartedAt = now;
        DeadlineAt = deadlineAt;
        GrantedAt = 0;
        RetryAt = 0;
        Attempts = 0;
        Sends = 0;
        HasFailed = false;
        Renewals = 0;
        HasMoved = false;
        AwaitsToken = false;
        Debug.Assert(Phase == CallPhase.Idle, "a call starts from the pool");
        long version = Version;
        // Interlocked.Exchange is a full fence. The writes above and the phase become visible before this thread reads IsSwept.
        Interlocked.Exchange(ref _word, Word(version, CallPhase.Queued));
        return version;
    }

    /// <summary>Moves the call from one phase to another. Returns false if the call has a different version or phase.</summary>
    public bool TryMove(long version, CallPhase from, CallPhase to) =>
        Interlocked.CompareExchange(ref _word, Word(version, to), Word(version, from)) == Word(version, from);

    /// <summary>
    /// Acquires exclusive access to the call for a short time: moves it from <see cref="CallPhase.Sent"/> to <see cref="CallPhase.Busy"/>. Waits while another
    /// thread holds the call. Returns false if the call is in any other phase.
    /// </summary>
    public bool TryHold(long version)
    {
        SpinWait spin = default;
        while (!TryMove(version, CallPhase.Sent, CallPhase.Busy))
        {
            if (Snapshot() != (version, CallPhase.Busy))
            {
                // The other holder may have released the call since the failed TryMove, so try one more time.
                return TryMove(version, CallPhase.Sent, CallPhase.Busy);
            }

            spin.SpinOnce();
        }

        return true;
    }

    /// <summary>Releases a held call: moves it from <see cref="CallPhase.Busy"/> to another phase. Only the thread that holds the call may call this.</summary>
    public void Leave(long version, CallPhase to) => Volatile.Write(ref _word, Word(version, to));

    /// <summary>Ends the call. Returns the phase before the end, or <see cref="CallPhase.Idle"/> if this version of the call had already ended.</summary>
    public CallPhase TryEnd(long version)
    {
        SpinWait spin = default;
        while (true)
        {
            long word = Volatile.Read(ref _word);
            CallPhase phase = (CallPhase)(word & PhaseMask);
            if (word >> PhaseBits != version || phase is CallPhase.Idle or CallPhase.Ended)
            {
                return CallPhase.Idle;
            }

            if (phase == CallPhase.Busy)
            {
                spin.SpinOnce();
            }
            else if (Interlocked.CompareExchange(ref _word, Word(version, CallPhase.Ended), word) == word)
            {
                return phase;
            }
        }
    }

    internal sealed override bool TryGrant(long version) => Runner.OnGranted(this, version);

    /// <summary>
    /// Completes the call with a response from the server. Returns false if the call had already ended. If the result is true, the caller of this method must
    /// call <see cref="Signal"/>.
    /// </summary>
    public bool Complete(long version, ReadOnlySpan<byte> payload, NearTerms terms = default)
    {
        CallPhase phase = TryEnd(version);
        if (phase == CallPhase.Idle)
        {
            return false;
        }

        try
        {
            SetResponse(payload);
        }
        catch (FormatException exception)
        {
            SetFailure(Runner.ErrorOf(this, Failure.Unreadable(exception)));
        }

        Runner.OnEnded(this, phase, Response, terms);
        return true;
    }

    /// <summary>Increments <see cref="Sends"/>, because the current attempt has a connection. Has no effect if the call has ended.</summary>
    public void NoteSent(long version)
    {
        if (TryHold(version))
        {
            Sends++;
            Leave(version, CallPhase.Sent);
        }
    }

    /// <summary>
    /// Reports to the near cache that the near get of the current attempt got no usable response. Has no effect if the attempt is not a near get.
    /// </summary>
    public void FailNear()
    {
        if (NearGet is { } get)
        {
            NearGet = null;
            Runner.Near!.Failed(get);
        }
    }

    /// <summary>Informs the near cache that the call has ended, before the caller receives the response.</summary>
    public abstract void EndCopies(NearReads near, NearTerms terms);

    /// <summary>Handles a failed attempt: retries the call, or ends and signals it.</summary>
    public void Fail(long version, in Failure failure) => Runner.OnFailed(this, version, failure);

    /// <summary>Returns the length of the request in bytes.</summary>
    public abstract int Measure();

    /// <summary>Writes the request.</summary>
    public abstract void Write(ref ProtoWriter writer);

    /// <summary>Starts one attempt as a unary call. The attempt reports its outcome to this object. The call must be Busy, and is Sent afterwards.</summary>
    public abstract void SendUnary(UnaryTransport transport, long version);

    /// <summary>Completes the caller's task. The task's continuation may run on this thread.</summary>
    public abstract void Signal();

    /// <summary>Makes the call appear incomplete until <see cref="Release"/>. Must be called before the call begins.</summary>
    public abstract void Hold();

    /// <summary>Ends <see cref="Hold"/>. The caller's continuation may run on this thread.</summary>
    public abstract void Release();

    void IThreadPoolWorkItem.Execute() => Signal();

    public abstract void SetFailure(CacheError error);

    protected abstract void SetResponse(ReadOnlySpan<byte> payload);

    /// <summary>Ends this use of the object after the caller has taken the response, so that the object can be reused.</summary>
    protected void Retire()
    {
        // Dispose waits for a running cancellation callback, so that the callback cannot affect the next use of the object.
        Registration.Dispose();
        Registration = default;
        Route = null;
        Activity = null;
        Cache = "";
        if (HasFailed)
        {
            LastFailure = default;
        }

        Volatile.Write(ref _word, Word(Version + 1, CallPhase.Idle));
    }

    private static long Word(long version, CallPhase phase) => (version << PhaseBits) | (long)phase;
}
