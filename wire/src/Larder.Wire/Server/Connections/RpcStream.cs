using System.Net;
using System.Security.Cryptography.X509Certificates;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// One call on a connection: its request headers and bytes, its response, and the progress of both. The connection reuses the object for the next call if the
/// call ended cleanly. The lock that guards a member is stated at the member.
/// </summary>
internal sealed class RpcStream : IBufferSpaceWaiter, IWorkItem, IDisposable
{
    /// <summary>
    /// The memory, in bytes, that is counted for a stream with buffers of minimum size. It consists of about 2 KB of objects, and arrays that start at 512
    /// bytes.
    /// </summary>
    public const int HeldBytes = 4 * 1024;

    private readonly RpcConnection _connection;
    private CancellationTokenSource? _aborted;
    private ReceiveWindow _receiving;
    private volatile RpcStreamPhase _phase;
    private MinimumRate _sending;
    private MinimumRate _arriving;

    public RpcStream(RpcConnection connection)
    {
        _connection = connection;
        Input = new StreamInput(this, connection.Account);
        Output = new StreamOutput(this, connection.Account);
        Call = new RpcContext(this);
    }

    /// <summary>Gets the memory account of the connection.</summary>
    public BufferAccount Account => _connection.Account;

    /// <summary>Gets or sets a value that an observer attaches to the connection.</summary>
    public object? ConnectionTag
    {
        get => _connection.Tag;
        set => _connection.Tag = value;
    }

    /// <summary>Gets the client's address.</summary>
    public IPAddress? RemoteAddress => _connection.RemoteAddress;

    /// <summary>Gets the client's TLS certificate.</summary>
    public X509Certificate2? RemoteCertificate => _connection.RemoteCertificate;

    /// <summary>Gets or sets whether a caller on the connection was authenticated.</summary>
    public bool IsConnectionKnown
    {
        get => _connection.IsKnown;
        set => _connection.IsKnown = value;
    }

    /// <summary>Gets or sets data about the last authenticated caller on the connection.</summary>
    public object? ConnectionCaller
    {
        get => _connection.Caller;
        set => _connection.Caller = value;
    }

    public int Id { get; set; }

    public RpcRequestHeaders Headers { get; } = new();

    public StreamInput Input { get; }

    public StreamOutput Output { get; }

    public RpcContext Call { get; }

    public RpcRoute? Route { get; set; }

    /// <summary>Gets the connection of the stream.</summary>
    public RpcConnection Connection => _connection;

    /// <summary>
    /// Gets or sets the push stream that provides the responses. It is null before the push stream has begun. It is always null for calls that write their
    /// responses themselves. Guarded by the lock.
    /// </summary>
    public PushStream? Push { get; set; }

    /// <summary>Gets or sets the send window of the stream, in bytes. Guarded by the lock.</summary>
    public int SendWindow { get; set; }

    /// <summary>Gets the receive window of the stream.</summary>
    public ref ReceiveWindow Receiving => ref _receiving;

    /// <summary>Gets or sets the number of bytes of the request body received so far.</summary>
    public long ReceivedBytes { get; set; }

    /// <summary>Gets or sets the declared length of the body in bytes; -1 if it is not declared.</summary>
    public int ContentLength { get; set; } = BodyLength.Unannounced;

    /// <summary>Gets or sets the time at which the headers arrived, in milliseconds of the connection's clock.</summary>
    public long StartedAtMs { get; set; }

    /// <summary>Gets or sets whether the response headers are in the output buffer. Guarded by the lock.</summary>
    public bool HasSentHeaders { get; set; }

    /// <summary>Gets whether the handler has ended and the rest of its response is being sent.</summary>
    public bool HasEnded => _phase == RpcStreamPhase.Answering;

    /// <summary>Gets or sets whether response bytes wait for a window or for buffer space. Guarded by the lock.</summary>
    public bool IsBlocked { get; set; }

    /// <summary>Gets or sets whether the stream is blocked only by the connection, and is in the connection's queue. Guarded by the lock.</summary>
    public bool IsQueued { get; set; }

    /// <summary>Gets or sets the number of response bytes that have been framed. Guarded by the lock.</summary>
    public long SentBytes { get; set; }

    /// <summary>Gets or sets the number of bytes that the connection counts as blocked by windows. Guarded by the lock.</summary>
    public int UnsentBytes { get; set; }

    /// <summary>Gets the progress of the response while the stream is blocked. Guarded by the lock.</summary>
    public ref MinimumRate Sending => ref _sending;

    /// <summary>Gets the progress of the request. Used only while <see cref="IsArriving"/> is true. Guarded by the lock.</summary>
    public ref MinimumRate Arriving => ref _arriving;

    /// <summary>Gets or sets whether the timer checks the progress of a request, or of a message in a bidirectional call. Guarded by the lock.</summary>
    public bool IsArriving { get; set; }

    /// <summary>Gets whether the client has reset the stream or the connection has ended.</summary>
    public bool IsAborted => _phase is RpcStreamPhase.Abandoned or RpcStreamPhase.Gone;

    /// <summary>Gets whether the stream is no longer registered with its connection.</summary>
    public bool IsRemoved => _phase is RpcStreamPhase.Idle or RpcStreamPhase.Gone;

    /// <summary>Gets whether the handler has started.</summary>
    public bool HasStarted => _phase is not (RpcStreamPhase.Idle or RpcStreamPhase.Arriving);

    /// <summary>Gets whether the handler is running. This can also be true after the client has abandoned the call.</summary>
    public bool IsRunning => _phase is RpcStreamPhase.Running or RpcStreamPhase.Abandoned;

    /// <summary>Gets or sets whether an object that outlives the call may refer to the stream. The stream must then not be reused.</summary>
    public bool IsTainted { get; set; }

    /// <summary>
    /// Gets the maximum size of an input buffer that is kept between reads. For a bidirectional call, this is the maximum size of one receive.
    /// </summary>
    public int KeptInputBytes => Route is DuplexRoute ? ReceiveBuffer.MaxBytes : 4 * 1024;

    /// <summary>Gets a token that is cancelled when the client resets the stream or the connection ends.</summary>
    public CancellationToken Aborted
    {
        get
        {
            IsTainted = true;
            if (_aborted is null)
            {
                Interlocked.CompareExchange(ref _aborted, new CancellationTokenSource(), null);
                if (IsAborted)
                {
                    _aborted.Cancel();
                }
            }

            return _aborted.Token;
        }
    }

    /// <summary>Flushes the response through the connection. Returns true if all data was framed, or false if the flush must wait.</summary>
    public bool TryFlush() => _connection.TryFlush(this);

    public void StopFlush() => _connection.StopFlush(this);

    public void OnConsumed(int count) => _connection.OnConsumed(this, count);

    /// <summary>
    /// Returns whether a response of this size must be deferred. This is the case if the connection has no space, or if this thread must not copy a response of
    /// this size.
    /// </summary>
    public bool MustWait(int bytes) => Route is RawUnaryRoute && !Call.RunsOnce && _connection.MustWait(bytes);

    /// <summary>Queues the handler to run again when there is space for its response.</summary>
    public void RunWhenSpace() => _connection.WaitForBufferSpace(this);

    /// <summary>Queues a waiter that runs when there is space for a large response.</summary>
    public void WaitForBufferSpace(IBufferSpaceWaiter waiter) => _connection.WaitForBufferSpace(waiter);

    /// <summary>Gets whether a large response may be written now.</summary>
    public bool HasRoom => !_connection.MustWait(0);

    void IWorkItem.Run() => _connection.RunOnWorker(this);

    Task IBufferSpaceWaiter.OnSpaceAvailable() => _connection.Resume(this);

    /// <summary>Releases the buffers. Nothing more is sent or received, and the stream is not reused.</summary>
    public void Abandon()
    {
        Input.Abandon();
        Output.Abandon();
    }

    /// <summary>Ends the call after its handler has ended. Sends the rest of the response and the status, as far as the client's windows allow.</summary>
    public void Finish() => _connection.Finish(this);

    /// <summary>Resets the stream because the handler has abandoned the call.</summary>
    public void Reset() => _connection.ResetStream(this, Http2ErrorCode.Cancel);

    /// <summary>Changes the phase. Returns false and does nothing if the change is not allowed in the current phase. The caller must hold the lock.</summary>
    public bool TryMove(RpcStreamPhase to)
    {
        bool may = MayMove(_phase, to);
        if (may)
        {
            _phase = to;
            IsTainted |= to == RpcStreamPhase.Abandoned;
        }

        return may;
    }

    /// <summary>Returns whether a change of phase is allowed.</summary>
    public static bool MayMove(RpcStreamPhase from, RpcStreamPhase to) => to switch
    {
        RpcStreamPhase.Arriving => from == RpcStreamPhase.Idle,
        RpcStreamPhase.Running => from == RpcStreamPhase.Arriving,
        RpcStreamPhase.Answering => from == RpcStreamPhase.Running,
        RpcStreamPhase.Gone => from == RpcStreamPhase.Abandoned,
        _ => from is RpcStreamPhase.Arriving or RpcStreamPhase.Running or RpcStreamPhase.Answering,
    };

    /// <summary>Fails the reader of an abandoned stream and cancels <see cref="Aborted"/>.</summary>
    public void Abort(string reason)
    {
        Input.Fail(new IOException(reason));
        // The callbacks belong to handlers. An exception in a callback must not end the connection's loop.
        if (Volatile.Read(ref _aborted) is { } aborted)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static source => source.Cancel(), aborted, preferLocal: false);
        }
    }

    /// <summary>Returns true if the body does not match its declared length.</summary>
    public bool BreaksContentLength(bool isEnd) => !BodyLength.IsKept(ContentLength, ReceivedBytes, isEnd);

    /// <summary>Resets the object for the next call, whose headers are already in <see cref="Headers"/>.</summary>
    public void Prepare(int id, int receiveWindow, long nowMs)
    {
        Id = id;
        _receiving.Open(receiveWindow);
        StartedAtMs = nowMs;
        ReceivedBytes = 0;
        SentBytes = 0;
        UnsentBytes = 0;
        IsArriving = false;
        HasSentHeaders = false;
        IsBlocked = false;
        IsQueued = false;
        Route = null;
        Push = null;
        Input.Reset();
        Output.Reset();
        Call.Begin();
    }

    public void Dispose()
    {
        Input.Dispose();
        Output.Dispose();
    }
}
