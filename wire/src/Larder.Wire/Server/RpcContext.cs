using System.Net;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Wire;

/// <summary>One call as its handler sees it. It ends with the call and is not kept beyond it.</summary>
public sealed class RpcContext
{
    private readonly RpcStream _stream;
    private TimeProvider _time = TimeProvider.System;
    private CallCancellation? _cancellation;

    internal RpcContext(RpcStream stream) => _stream = stream;

    /// <summary>The call's path as sent: <c>/package.Service/Rpc</c>.</summary>
    public string Path { get; internal set; } = "";

    /// <summary>The place of the call in the order in which calls were mapped, from 0; -1 where the server does not have it.</summary>
    public int RouteIndex { get; internal set; } = -1;

    /// <summary>The request's metadata.</summary>
    public RpcRequestHeaders RequestHeaders => _stream.Headers;

    /// <summary>What an observer keeps with the call's connection, for all calls on it. Read and set in <see cref="IRpcObserver.OnStarted"/> alone.</summary>
    public object? ConnectionTag
    {
        get => _stream.ConnectionTag;
        set => _stream.ConnectionTag = value;
    }

    /// <summary>The call's connection, to tell it from others: the same object for all calls on it.</summary>
    public object Connection => _stream.Connection;

    /// <summary>Whether the caller has gone away; its deadline does not count. On any thread, until the call has ended.</summary>
    public bool IsAborted => _stream.IsAborted;

    /// <summary>Where the call's connection comes from; null where that is not known.</summary>
    public IPAddress? RemoteAddress => _stream.RemoteAddress;

    /// <summary>
    /// The certificate that the call's connection showed in its TLS handshake, found good there; null where the server asks for none.
    /// </summary>
    public X509Certificate2? RemoteCertificate => _stream.RemoteCertificate;

    /// <summary>
    /// Whether <see cref="RpcRouterOptions.Authorize"/> has known the caller of a call on this connection: kept with the connection. Read and set there alone.
    /// </summary>
    public bool IsConnectionKnown
    {
        get => _stream.IsConnectionKnown;
        set => _stream.IsConnectionKnown = value;
    }

    /// <summary>
    /// What <see cref="RpcRouterOptions.Authorize"/> keeps of the last caller on this connection, for the calls that follow. Read and set there alone.
    /// </summary>
    public object? ConnectionCaller
    {
        get => _stream.ConnectionCaller;
        set => _stream.ConnectionCaller = value;
    }

    /// <summary>What <see cref="RpcRouterOptions.Authorize"/> keeps of the caller for the call's handler. Null until it is set.</summary>
    public object? Caller { get; set; }

    /// <summary>The time left until the caller's deadline, negative when it has passed; null where the caller set none.</summary>
    public TimeSpan? Remaining => Timeout is { } timeout ? timeout - Elapsed : null;

    /// <summary>Since the call arrived.</summary>
    public TimeSpan Elapsed => _time.GetElapsedTime(StartedAt);

    /// <summary>The caller's <c>grpc-timeout</c>; null where there is none.</summary>
    public TimeSpan? Timeout { get; internal set; }

    /// <summary>Bytes of the request's body that have arrived.</summary>
    public long ReceivedBytes => _stream.ReceivedBytes;

    /// <summary>
    /// Bytes of the answer's body that were written so far, whether they have left or not. For its handler's thread, and as the call completes.
    /// </summary>
    public long WrittenBytes => _stream.SentBytes + _stream.Output.UnflushedBytes;

    /// <summary>Cancelled when the caller is gone, the deadline has passed, or the server's grace at shutdown is over.</summary>
    public CancellationToken Cancelled => (_cancellation ??= new CallCancellation(Remaining, _time, _stream.Aborted)).Token;

    /// <summary>How the call stands: OK until it was failed.</summary>
    public Status Status { get; private set; } = Status.Ok;

    /// <summary>The clock that the call's deadline goes by.</summary>
    public TimeProvider TimeProvider => _time;

    /// <summary>When the call arrived, as <see cref="System.TimeProvider.GetTimestamp"/> of <see cref="TimeProvider"/> has it.</summary>
    public long StartedAt { get; private set; }

    /// <summary>When answers began that may go on for days, since the call arrived; null: of this call they are few, or have not begun.</summary>
    internal TimeSpan? BeganAfter { get; set; }

    internal RpcStream Stream => _stream;

    internal StreamOutput Output => _stream.Output;

    internal List<KeyValuePair<string, string>>? Headers { get; private set; }

    internal List<KeyValuePair<string, string>>? Trailers { get; private set; }

    internal MessageWriter Writer { get; } = new();

    internal bool IsExpired => Timeout is { } timeout && Elapsed >= timeout;

    /// <summary>
    /// Whether the handler must not be run again. A handler that asks for a large answer's room when there is none is left, and run again later. One that does
    /// what must not be done twice sets this before it asks; its answer is then held until it is read.
    /// </summary>
    public bool RunsOnce { get; set; }

    /// <summary>Fails the call; the last status given counts. OK is no failure and throws.</summary>
    /// <exception cref="ArgumentException">The status is OK.</exception>
    public void Fail(Status status)
    {
        if (status.IsOk)
        {
            throw new ArgumentException("A call cannot fail with OK.", nameof(status));
        }

        Status = status;
    }

    /// <summary>Adds a trailer to the answer, after the status.</summary>
    /// <param name="name">Lower case, ASCII.</param>
    /// <param name="value">Printable ASCII.</param>
    public void AddTrailer(string name, string value) => (Trailers ??= []).Add(new(name, value));

    /// <summary>Adds a field to the answer's headers, which go before its first message. An answer that is a failure alone has none of them.</summary>
    /// <param name="name">Lower case, ASCII.</param>
    /// <param name="value">Printable ASCII.</param>
    public void AddHeader(string name, string value) => (Headers ??= []).Add(new(name, value));

    /// <summary>Ends the call's stream at once, whatever is still under way on it.</summary>
    public void Abort() => _stream.Reset();

    /// <summary>True once a byte of a message is in the response.</summary>
    internal bool HasBody { get; set; }

    /// <summary>Whether the call's end was the deadline's doing or the caller's.</summary>
    internal Status CancellationStatus() => IsExpired || _cancellation is { HasExpired: true }
        ? new Status(StatusCode.DeadlineExceeded, "The deadline passed while the call was running.")
        : new Status(StatusCode.Cancelled, "The call was cancelled.");

    internal void EndMessage()
    {
        Writer.EndMessage();
        HasBody = true;
    }

    /// <summary>Ends a message that a failing handler left unfinished, so that what was sent is well formed.</summary>
    internal void CloseMessage()
    {
        if (Writer.HasUnfinishedMessage)
        {
            EndMessage();
        }
    }

    /// <summary>Begins another call.</summary>
    internal void Begin()
    {
        Path = "";
        RouteIndex = -1;
        Timeout = null;
        Caller = null;
        Status = Status.Ok;
        Headers = null;
        Trailers = null;
        HasBody = false;
        RunsOnce = false;
        BeganAfter = null;
    }

    /// <summary>Starts the call's clock.</summary>
    internal void Start(TimeProvider time)
    {
        _time = time;
        StartedAt = time.GetTimestamp();
    }

    internal void End()
    {
        _cancellation?.Dispose();
        _cancellation = null;
    }
}
