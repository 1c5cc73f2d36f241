using System.Diagnostics;
using Larder.Client.Fronts;
using Larder.Client.Near;
using Larder.Client.Operations;
using Larder.Wire.Protobuf;

namespace Larder.Client.Calls;

/// <summary>
/// One call, from its caller's request to its response: the permit's waiter, the transport's unit of work and the caller's awaitable in one
/// reused object, so that a call in the steady state allocates its result alone.
/// <para>
/// Design. One word holds the life's number (version) and the <see cref="CallPhase"/>. Everyone who holds a call holds the version with it, and acts
/// only after a compare-and-swap from a phase of that version: an outcome, a deadline, a cancellation and a grant may race, and one of them wins.
/// The winner of <see cref="TryEnd"/> alone sets the response, gives the permit back and signals; only then can the caller consume it, and only the
/// caller's consumption starts the next life.
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

    /// <summary>When the permit was granted; 0 until then.</summary>
    public long GrantedAt { get; set; }

    public long DeadlineAt { get; private set; }

    public long RetryAt { get; set; }

    /// <summary>Attempts made, those without a connection included.</summary>
    public int Attempts { get; set; }

    /// <summary>Attempts that found a connection.</summary>
    public int Sends { get; set; }

    public Failure LastFailure { get; set; }

    public bool HasFailed { get; set; }

    /// <summary>How often it waited for another token than the one that was refused.</summary>
    public int Renewals { get; set; }

    /// <summary>True while it waits for the provider's token.</summary>
    public bool AwaitsToken { get; set; }

    public Activity? Activity { get; set; }

    public CancellationTokenRegistration Registration { get; set; }

    /// <summary>Gives up the unary attempt under way; made with the first and kept while it was not used.</summary>
    public CancellationTokenSource? UnaryAbandonment { get; set; }

    /// <summary>True while the deadline sweep knows this object. The sweep's own.</summary>
    public bool IsSwept { get; set; }

    /// <summary>The transport's own mark on this attempt: which connection and which id.</summary>
    public object? Route { get; set; }

    public int RouteId { get; set; }

    /// <summary>Of several fronts the one that has, or had, the last attempt of this life; null: none, or there are not several.</summary>
    public Front? Front { get; set; }

    /// <summary>The attempt that is on the near stream, as a near get; null: it is none. Its holder's, or that of whoever ended the call.</summary>
    public NearGet? NearGet { get; set; }

    public abstract OperationInfo Operation { get; }

    /// <summary>The response, once the call has ended and until its caller took it.</summary>
    public abstract object Response { get; }

    public abstract int KeyLength { get; }

    internal sealed override long WaiterVersion => Version;

    public long Version => Volatile.Read(ref _word) >> PhaseBits;

    public CallPhase Phase => (CallPhase)(Volatile.Read(ref _word) & PhaseMask);

    /// <summary>Version and phase of one moment.</summary>
    public (long Version, CallPhase Phase) Snapshot()
    {
        long word = Volatile.Read(ref _word);
        return (word >> PhaseBits, (CallPhase)(word & PhaseMask));
    }

    /// <summary>Begins a life: from idle to queued. Returns its version.</summary>
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
        AwaitsToken = false;
        Debug.Assert(Phase == CallPhase.Idle, "a call begins from the pool");
        long version = Version;
        // A full fence: what is written above, and the phase, are seen before the sweep's flag is read.
        Interlocked.Exchange(ref _word, Word(version, CallPhase.Queued));
        return version;
    }

    /// <summary>Moves from one phase of this life to another. False where the call is elsewhere.</summary>
    public bool TryMove(long version, CallPhase from, CallPhase to) =>
        Interlocked.CompareExchange(ref _word, Word(version, to), Word(version, from)) == Word(version, from);

    /// <summary>Takes a sent call for oneself, for a moment. False where it is not sent any more.</summary>
    public bool TryHold(long version)
    {
        SpinWait spin = default;
        while (!TryMove(version, CallPhase.Sent, CallPhase.Busy))
        {
            if (Snapshot() != (version, CallPhase.Busy))
            {
                // Its holder may just have left it.
                return TryMove(version, CallPhase.Sent, CallPhase.Busy);
            }

            spin.SpinOnce();
        }

        return true;
    }

    /// <summary>Leaves <see cref="CallPhase.Busy"/>, which only its holder may.</summary>
    public void Leave(long version, CallPhase to) => Volatile.Write(ref _word, Word(version, to));

    /// <summary>Ends this life, once. Returns the phase it ended from; <see cref="CallPhase.Idle"/> where it had ended before.</summary>
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

    /// <summary>An answer came. Returns true where it ended the call: the caller of this then owes it a <see cref="Signal"/>.</summary>
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

    /// <summary>Notes that an attempt found a connection. For errors and the retry rule alone: a call that has ended meanwhile is left as it is.</summary>
    public void NoteSent(long version)
    {
        if (TryHold(version))
        {
            Sends++;
            Leave(version, CallPhase.Sent);
        }
    }

    /// <summary>The attempt that is a near get ends without an answer that counts.</summary>
    public void FailNear()
    {
        if (NearGet is { } get)
        {
            NearGet = null;
            Runner.Near!.Failed(get);
        }
    }

    /// <summary>Tells the near cache of the call's end, before its caller learns of it.</summary>
    public abstract void EndCopies(NearReads near, NearTerms terms);

    /// <summary>The attempt failed: the call is sent again, or ended and signalled.</summary>
    public void Fail(long version, in Failure failure) => Runner.OnFailed(this, version, failure);

    /// <summary>The request's length in bytes.</summary>
    public abstract int Measure();

    /// <summary>Writes the request.</summary>
    public abstract void Write(ref ProtoWriter writer);

    /// <summary>Runs one attempt as a unary call, which tells its outcome to this call. Takes the call Busy and leaves it Sent.</summary>
    public abstract void SendUnary(UnaryTransport transport, long version);

    /// <summary>Hands the response to the caller; its continuation may run here.</summary>
    public abstract void Signal();

    /// <summary>Has the call appear to be incomplete until <see cref="Release"/>. Before it begins.</summary>
    public abstract void Hold();

    /// <summary>Ends <see cref="Hold"/>; the caller's continuation may run here.</summary>
    public abstract void Release();

    void IThreadPoolWorkItem.Execute() => Signal();

    public abstract void SetFailure(CacheError error);

    protected abstract void SetResponse(ReadOnlySpan<byte> payload);

    /// <summary>Ends this object's life after the caller took its response: the next version may begin.</summary>
    protected void Retire()
    {
        // Waits for a cancellation that is running just now, so that it cannot meet the next life.
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
