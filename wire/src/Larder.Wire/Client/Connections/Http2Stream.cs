using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// One call on a connection: request headers, unsent request data, windows, response head and outcome.
/// <para>
/// Design. Streams are reused, and each use has a version. One word contains the current version and the <see cref="StreamPhase"/>. The reader holds
/// a stream while it reads a frame of the stream, so that a cancellation cannot pass the stream's buffers to another call during that time. Deadline,
/// cancellation, response and connection failure may race. The thread whose compare-and-swap ends the use sets the outcome, removes the stream from the
/// connection, and resumes the caller.
/// </para>
/// </summary>
internal abstract class Http2Stream
{
    private const int PhaseBits = 3;
    private const long PhaseMask = (1 << PhaseBits) - 1;

    private long _word;
    private ReceiveWindow _receiving;
    private bool _hasOutgoing;

    // The properties of the request. The connection needs them to open the stream.
    public string Path { get; protected set; } = "";

    public RpcHeaders Headers { get; protected set; } = RpcHeaders.Empty;

    /// <summary>Gets or sets the value of <c>grpc-timeout</c>. Null means no timeout.</summary>
    public string? Timeout { get; set; }

    /// <summary>Gets or sets the deadline as a timestamp of the connection's clock. 0 means no deadline.</summary>
    public long DeadlineAt { get; set; }

    /// <summary>Gets whether the request ends after the current bytes of <see cref="Outgoing"/>, or when <see cref="Source"/> has no more data.</summary>
    public bool EndsAfterOutgoing { get; protected set; }

    // State that the connection owns, guarded by its lock.
    public Http2Connection? Connection { get; set; }

    public int Id { get; set; }

    public int SendWindow { get; set; }

    /// <summary>Gets or sets the request bytes that are waiting for a window or for buffer space.</summary>
    public ReadOnlyMemory<byte> Outgoing { get; set; }

    /// <summary>Gets or sets the source of the request's data once the stream is open. If null, the data is in <see cref="Outgoing"/>.</summary>
    public IOutputSource? Source { get; set; }

    /// <summary>
    /// Gets or sets the sequence number of the output buffer that contains the stream's headers. Buffers after the last buffer that was passed to the socket
    /// were never sent.
    /// </summary>
    public long BufferNumber { get; set; }

    /// <summary>
    /// Gets or sets the queue that contains the stream, or null if no queue contains it. Only the queue changes this property and the links to the neighbours.
    /// </summary>
    public StreamQueue? Queue { get; set; }

    public Http2Stream? Next { get; set; }

    public Http2Stream? Previous { get; set; }

    /// <summary>Gets or sets the header block that was last sent for this stream and may be reusable.</summary>
    public HeaderBlock? Block { get; set; }

    // The state of the response. The reader owns this state while it holds the stream. After the end, the stream's owner owns it.
    public ResponseHead Head { get; } = new();

    public StreamOutcome Outcome { get; private set; }

    /// <summary>Gets the error if the outcome is <see cref="StreamOutcome.Failed"/>, or null otherwise.</summary>
    public RpcException? Failure { get; private set; }

    /// <summary>
    /// Gets or sets whether <see cref="Outgoing"/> has bytes or <see cref="Source"/> may have bytes. If true, the connection may read from them. The value is
    /// changed under the lock and read without the lock.
    /// </summary>
    public bool HasOutgoing
    {
        get => Volatile.Read(ref _hasOutgoing);
        set => Volatile.Write(ref _hasOutgoing, value);
    }

    /// <summary>Returns a consistent pair of version and phase.</summary>
    public (long Version, StreamPhase Phase) Snapshot()
    {
        long word = Volatile.Read(ref _word);
        return (word >> PhaseBits, (StreamPhase)(word & PhaseMask));
    }

    /// <summary>Begins a new use of the stream. The caller holds the stream until the connection publishes it.</summary>
    public void BeginLife()
    {
        Outcome = StreamOutcome.None;
        Failure = null;
        Volatile.Write(ref _word, Word((_word >> PhaseBits) + 1, StreamPhase.Held));
    }

    /// <summary>Releases the stream to other threads. Only the thread that holds the stream may call this method.</summary>
    public void Publish(StreamPhase phase) => Volatile.Write(ref _word, Word(_word >> PhaseBits, phase));

    /// <summary>Changes the phase from waiting to held, so that the connection can open the stream. Returns false if the stream has ended.</summary>
    public bool TryHoldWaiting()
    {
        long version = Snapshot().Version;
        return TryMove(version, StreamPhase.Waiting, StreamPhase.Held);
    }

    /// <summary>
    /// Acquires the open stream for the reader if it belongs to this connection and id. Returns false if the stream has ended or is already used by another
    /// call.
    /// </summary>
    public bool TryHold(Http2Connection connection, int id)
    {
        // The state word is read first and compared last. So all values read in between belong to this use.
        (long version, StreamPhase phase) = Snapshot();
        return phase == StreamPhase.Open && Id == id && Connection == connection && TryMove(version, StreamPhase.Open, StreamPhase.Held);
    }

    /// <summary>
    /// Ends this use of the stream. The caller must not hold the stream. Returns the previous phase, or <see cref="StreamPhase.Idle"/> if this use had already
    /// ended.
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

    /// <summary>Sets the outcome. Only the thread that ended this use may call this method.</summary>
    public void SetOutcome(StreamOutcome outcome, RpcException? failure = null)
    {
        Outcome = outcome;
        Failure = failure;
    }

    /// <summary>Cancels the call. Does nothing if the call has already ended.</summary>
    public void Cancel() => Connection?.End(this, Snapshot().Version, StreamOutcome.Cancelled);

    /// <summary>Gets the receive window of the response.</summary>
    public ref ReceiveWindow Receiving => ref _receiving;

    /// <summary>Counts consumed bytes and sends a window update if an update is due. The stream must be open or belong to the caller.</summary>
    public void GrantCredit(int bytes)
    {
        int credit = _receiving.Take(bytes);
        if (credit > 0)
        {
            Connection!.GrantCredit(Id, credit);
        }
    }

    /// <summary>Handles a complete header block in <see cref="Head"/>. Called by the reader, which holds the stream.</summary>
    public abstract void OnHeaders(CompletionBatch batch);

    /// <summary>
    /// Handles data that has arrived. Returns the error that must end the stream, or null to continue. Called by the reader, which holds the stream.
    /// </summary>
    public abstract RpcException? OnData(ReadOnlySpan<byte> data, CompletionBatch batch);

    /// <summary>Adds the waiting caller to <paramref name="batch"/>. Called when the stream has ended and is removed from the connection.</summary>
    public abstract void OnEnded(CompletionBatch batch);

    /// <summary>Ends the ownership of the stream, so that the stream can be reused.</summary>
    protected void EndLife() => Volatile.Write(ref _word, Word(_word >> PhaseBits, StreamPhase.Idle));

    private bool TryMove(long version, StreamPhase from, StreamPhase to) =>
        Interlocked.CompareExchange(ref _word, Word(version, to), Word(version, from)) == Word(version, from);

    private static long Word(long version, StreamPhase phase) => (version << PhaseBits) | (long)phase;
}
