using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// One call on a connection: its request's headers and what is left of its request's data, its windows, its answer's head, and how it ended.
/// <para>
/// Design. Streams are reused. One word holds the number of the present life (version) and the <see cref="StreamPhase"/>. The reader holds a stream while it
/// reads a frame of it, so that no cancellation gives its buffers to another call meanwhile; deadline, cancellation, the server's answer and the connection's
/// end may race, and the one whose compare-and-swap ends the life sets the outcome, takes the stream off the connection and wakes its owner.
/// </para>
/// </summary>
internal abstract class Http2Stream
{
    private const int PhaseBits = 3;
    private const long PhaseMask = (1 << PhaseBits) - 1;

    private long _word;
    private ReceiveWindow _receiving;
    private bool _hasOutgoing;

    // What is sent to open it.
    public string Path { get; protected set; } = "";

    public RpcHeaders Headers { get; protected set; } = RpcHeaders.Empty;

    /// <summary>The text of <c>grpc-timeout</c>; null for none.</summary>
    public string? Timeout { get; set; }

    /// <summary>When its deadline is, by the connection's clock; 0 for none.</summary>
    public long DeadlineAt { get; set; }

    /// <summary>Whether the request ends with what is now in <see cref="Outgoing"/>, or when <see cref="Source"/> has no more.</summary>
    public bool EndsAfterOutgoing { get; protected set; }

    // The connection's, under its lock.
    public Http2Connection? Connection { get; set; }

    public int Id { get; set; }

    public int SendWindow { get; set; }

    /// <summary>Bytes of the request that still wait for a window or for room.</summary>
    public ReadOnlyMemory<byte> Outgoing { get; set; }

    /// <summary>Where what it sends is fetched from once it is open; null: nowhere, what it sends is in <see cref="Outgoing"/>.</summary>
    public IOutputSource? Source { get; set; }

    /// <summary>Which of the connection's buffers its headers were written into: those after the last one handed to the socket never left.</summary>
    public long BufferNumber { get; set; }

    /// <summary>The queue it is in; null where it is in none. The queue's own, as are the neighbours.</summary>
    public StreamQueue? Queue { get; set; }

    public Http2Stream? Next { get; set; }

    public Http2Stream? Previous { get; set; }

    /// <summary>The block of headers that was last sent for it, and may fit again.</summary>
    public HeaderBlock? Block { get; set; }

    // The answer: the reader's while it holds the stream, its owner's once it has ended.
    public ResponseHead Head { get; } = new();

    public StreamOutcome Outcome { get; private set; }

    /// <summary>Set where the outcome is <see cref="StreamOutcome.Failed"/>.</summary>
    public RpcException? Failure { get; private set; }

    /// <summary>
    /// True while <see cref="Outgoing"/> has bytes, or <see cref="Source"/> may: the connection's buffers may be filled from it. Changed under the lock; read
    /// without it.
    /// </summary>
    public bool HasOutgoing
    {
        get => Volatile.Read(ref _hasOutgoing);
        set => Volatile.Write(ref _hasOutgoing, value);
    }

    /// <summary>Version and phase of one moment.</summary>
    public (long Version, StreamPhase Phase) Snapshot()
    {
        long word = Volatile.Read(ref _word);
        return (word >> PhaseBits, (StreamPhase)(word & PhaseMask));
    }

    /// <summary>Begins a life; the stream is held by its caller until the connection publishes it.</summary>
    public void BeginLife()
    {
        Outcome = StreamOutcome.None;
        Failure = null;
        Volatile.Write(ref _word, Word((_word >> PhaseBits) + 1, StreamPhase.Held));
    }

    /// <summary>Lets others at the stream. Only its holder may.</summary>
    public void Publish(StreamPhase phase) => Volatile.Write(ref _word, Word(_word >> PhaseBits, phase));

    /// <summary>From waiting to held, for the connection to open it. False where it has ended.</summary>
    public bool TryHoldWaiting()
    {
        long version = Snapshot().Version;
        return TryMove(version, StreamPhase.Waiting, StreamPhase.Held);
    }

    /// <summary>Takes the open stream of this connection and id for the reader. False where it has ended, or serves another call by now.</summary>
    public bool TryHold(Http2Connection connection, int id)
    {
        // The word is read first and compared last: what lies between belongs to this life.
        (long version, StreamPhase phase) = Snapshot();
        return phase == StreamPhase.Open && Id == id && Connection == connection && TryMove(version, StreamPhase.Open, StreamPhase.Held);
    }

    /// <summary>
    /// Ends this life, once; the stream may not be held by the caller. Returns the phase it ended from, <see cref="StreamPhase.Idle"/> where it had ended
    /// before.
    /// </summary>
    public StreamPhase TryEnd(long version)
    {
        SpinWait spin = default;
        while (true)
        {
            (long present, StreamPhase phase) = Snapshot();
            if (present != version || phase is StreamPhase.Idle or StreamPhase.Ended)
            {
                return StreamPhase.Idle;
            }

            if (phase == StreamPhase.Held)
            {
                spin.SpinOnce();
            }
            else if (TryMove(version, phase, StreamPhase.Ended))
            {
                return phase;
            }
        }
    }

    /// <summary>Sets the outcome. Only who ended the life may.</summary>
    public void SetOutcome(StreamOutcome outcome, RpcException? failure = null)
    {
        Outcome = outcome;
        Failure = failure;
    }

    /// <summary>Gives the stream up for its caller's sake. Nothing happens where it has ended.</summary>
    public void Cancel() => Connection?.End(this, Snapshot().Version, StreamOutcome.Cancelled);

    /// <summary>The window of the answer.</summary>
    public ref ReceiveWindow Receiving => ref _receiving;

    /// <summary>Gives the server back what was taken from the stream. The stream is open, or its owner's.</summary>
    public void GiveCredit(int bytes)
    {
        int credit = _receiving.Take(bytes);
        if (credit > 0)
        {
            Connection!.GiveCredit(Id, credit);
        }
    }

    /// <summary>A block of headers is complete in <see cref="Head"/>. On the reader, which holds the stream.</summary>
    public abstract void OnHeaders(CompletionBatch batch);

    /// <summary>Data arrived. On the reader, which holds the stream. Returns why the stream must end; null where it goes on.</summary>
    public abstract RpcException? OnData(ReadOnlySpan<byte> data, CompletionBatch batch);

    /// <summary>The stream has ended and is off the connection: whoever waits for it is added to <paramref name="batch"/>.</summary>
    public abstract void OnEnded(CompletionBatch batch);

    /// <summary>Ends the ownership: the stream may begin another life.</summary>
    protected void EndLife() => Volatile.Write(ref _word, Word(_word >> PhaseBits, StreamPhase.Idle));

    private bool TryMove(long version, StreamPhase from, StreamPhase to) =>
        Interlocked.CompareExchange(ref _word, Word(version, to), Word(version, from)) == Word(version, from);

    private static long Word(long version, StreamPhase phase) => (version << PhaseBits) | (long)phase;
}
