using System.Net;
using System.Security.Cryptography.X509Certificates;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// One call on a connection: its request's headers and bytes, its answer, and how far both are. Kept by its connection for the next call when it
/// ended cleanly. What is marked so changes under the connection's lock.
/// </summary>
internal sealed class RpcStream : IRoomWaiter, IWorkItem, IDisposable
{
    /// <summary>
    /// What a stream holds with its buffers at their smallest: it, its call and its two directions are some 2 KB of objects, and the arrays begin at 512 bytes.
    /// </summary>
    public const int HeldBytes = 4 * 1024;

    private readonly RpcConnection _connection;
    private CancellationTokenSource? _aborted;
    private ReceiveWindow _receiving;
    private volatile RpcStreamPhase _phase;
    private RateOfProgress _sending;
    private RateOfProgress _arriving;

    public RpcStream(RpcConnection connection)
    {
        _connection = connection;
        Input = new StreamInput(this, connection.Account);
        Output = new StreamOutput(this, connection.Account);
        Call = new RpcContext(this);
    }

    /// <summary>What the stream's connection holds.</summary>
    public BufferAccount Account => _connection.Account;

    /// <summary>What an observer keeps with the stream's connection.</summary>
    public object? ConnectionTag
    {
        get => _connection.Tag;
        set => _connection.Tag = value;
    }

    /// <summary>Where the stream's connection comes from.</summary>
    public IPAddress? RemoteAddress => _connection.RemoteAddress;

    /// <summary>What the stream's peer showed in the TLS handshake.</summary>
    public X509Certificate2? RemoteCertificate => _connection.RemoteCertificate;

    /// <summary>Whether a caller on the stream's connection was known.</summary>
    public bool IsConnectionKnown
    {
        get => _connection.IsKnown;
        set => _connection.IsKnown = value;
    }

    /// <summary>What is kept of the last caller that was known on the stream's connection.</summary>
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

    /// <summary>The stream's connection.</summary>
    public RpcConnection Connection => _connection;

    /// <summary>What fetches its answers, once that has begun; null for calls that write them. Under the lock.</summary>
    public PushStream? Push { get; set; }

    /// <summary>Bytes that the peer still takes for this stream. Under the lock.</summary>
    public int SendWindow { get; set; }

    /// <summary>Bytes that the peer may still send.</summary>
    public ref ReceiveWindow Receiving => ref _receiving;

    /// <summary>All bytes of the request's body so far.</summary>
    public long ReceivedBytes { get; set; }

    /// <summary>What its headers say of its body's length, in bytes; -1 where they say nothing.</summary>
    public int ContentLength { get; set; } = BodyLength.Untold;

    /// <summary>When its headers arrived, in the connection's milliseconds.</summary>
    public long StartedAtMs { get; set; }

    /// <summary>True once the response's headers are in the output. Under the lock.</summary>
    public bool HasSentHeaders { get; set; }

    /// <summary>True once the handler has ended: what is left is to send.</summary>
    public bool HasEnded => _phase == RpcStreamPhase.Answering;

    /// <summary>True while bytes of its answer wait for a window or for room. Under the lock.</summary>
    public bool IsBlocked { get; set; }

    /// <summary>True while it is blocked by the connection alone, and in its queue. Under the lock.</summary>
    public bool IsQueued { get; set; }

    /// <summary>All bytes of the answer that are in frames. Under the lock.</summary>
    public long SentBytes { get; set; }

    /// <summary>What its connection counts as kept back by windows. Under the lock.</summary>
    public int UnsentBytes { get; set; }

    /// <summary>How fast the answer goes while it is among the blocked. Under the lock.</summary>
    public ref RateOfProgress Sending => ref _sending;

    /// <summary>How fast the request arrives while <see cref="IsArriving"/>. Under the lock.</summary>
    public ref RateOfProgress Arriving => ref _arriving;

    /// <summary>True while the clock watches a request, or a message of a bidirectional call, arrive. Under the lock.</summary>
    public bool IsArriving { get; set; }

    /// <summary>True once the peer has reset it or the connection is gone.</summary>
    public bool IsAborted => _phase is RpcStreamPhase.Abandoned or RpcStreamPhase.Gone;

    /// <summary>True once its connection has forgotten it.</summary>
    public bool IsRemoved => _phase is RpcStreamPhase.Idle or RpcStreamPhase.Gone;

    /// <summary>True once its handler was started.</summary>
    public bool HasStarted => _phase is not (RpcStreamPhase.Idle or RpcStreamPhase.Arriving);

    /// <summary>True while its handler runs, wanted or not.</summary>
    public bool IsRunning => _phase is RpcStreamPhase.Running or RpcStreamPhase.Abandoned;

    /// <summary>True where the call could have leaked into something that outlives it: not used again then.</summary>
    public bool IsTainted { get; set; }

    /// <summary>Bytes of input buffers kept between reads: a long-lived stream's are as large as what arrives at once.</summary>
    public int KeptInputBytes => Route is DuplexRoute ? ReceiveBuffer.MaxBytes : 4 * 1024;

    /// <summary>Cancelled when the peer resets the stream or the connection ends.</summary>
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

    /// <summary>The connection's answer to "flush": true where it is done, false where it waits.</summary>
    public bool TryFlush() => _connection.TryFlush(this);

    public void StopFlush() => _connection.StopFlush(this);

    public void OnConsumed(int count) => _connection.OnConsumed(this, count);

    /// <summary>Whether an answer of this many bytes is to wait until its connection has room, or another thread.</summary>
    public bool MustWait(int bytes) => Route is RawUnaryRoute && !Call.RunsOnce && _connection.MustWait(bytes);

    /// <summary>Runs the call's handler again when there is room for its answer.</summary>
    public void RunWhenRoom() => _connection.WaitForRoom(this);

    /// <summary>Runs the waiter when there is room for a large answer.</summary>
    public void WaitForRoom(IRoomWaiter waiter) => _connection.WaitForRoom(waiter);

    /// <summary>True where a large answer may be written now.</summary>
    public bool HasRoom => !_connection.MustWait(0);

    void IWorkItem.Run() => _connection.RunOnWorker(this);

    Task IRoomWaiter.OnRoom() => _connection.Resume(this);

    /// <summary>Lets go of the buffers: nothing more is sent or received, and the stream is not used again.</summary>
    public void Abandon()
    {
        Input.Abandon();
        Output.Abandon();
    }

    /// <summary>The handler has ended: the rest of its answer and its status go out, as far as the peer's windows go.</summary>
    public void Finish() => _connection.Finish(this);

    /// <summary>Resets the stream from this side: the handler gave it up.</summary>
    public void Reset() => _connection.ResetStream(this, Http2ErrorCode.Cancel);

    /// <summary>Moves its call on. Under the lock. False where it may not move so, as it has gone another way meanwhile: nothing happens then.</summary>
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

    /// <summary>All the moves there are.</summary>
    public static bool MayMove(RpcStreamPhase from, RpcStreamPhase to) => to switch
    {
        RpcStreamPhase.Arriving => from == RpcStreamPhase.Idle,
        RpcStreamPhase.Running => from == RpcStreamPhase.Arriving,
        RpcStreamPhase.Answering => from == RpcStreamPhase.Running,
        RpcStreamPhase.Gone => from == RpcStreamPhase.Abandoned,
        _ => from is RpcStreamPhase.Arriving or RpcStreamPhase.Running or RpcStreamPhase.Answering,
    };

    /// <summary>Ends what waits on a stream that was abandoned; its handler sees its call cancelled.</summary>
    public void Abort(string reason)
    {
        Input.Fail(new IOException(reason));
        // Callbacks are the handlers' own; one that throws must not end the connection's loop.
        if (Volatile.Read(ref _aborted) is { } aborted)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static source => source.Cancel(), aborted, preferLocal: false);
        }
    }

    /// <summary>True where its body does not keep to the length that its headers say.</summary>
    public bool BreaksContentLength(bool isEnd) => !BodyLength.IsKept(ContentLength, ReceivedBytes, isEnd);

    /// <summary>Makes the object fit for the next call, whose headers are in <see cref="Headers"/> already.</summary>
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
