using System.Net;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Wire;

/// <summary>The context of one call for its handler. The object is reused, so it must not be kept after the call.</summary>
public sealed class RpcContext
{
    private readonly RpcStream _stream;
    private TimeProvider _time = TimeProvider.System;
    private CallCancellation? _cancellation;

    internal RpcContext(RpcStream stream) => _stream = stream;

    /// <summary>Gets the path of the call as the client sent it, in the form <c>/package.Service/Rpc</c>.</summary>
    public string Path { get; internal set; } = "";

    /// <summary>Gets the index of the method in the order in which methods were mapped, from 0; -1 if the server does not have the method.</summary>
    public int RouteIndex { get; internal set; } = -1;

    /// <summary>Gets the metadata of the request.</summary>
    public RpcRequestHeaders RequestHeaders => _stream.Headers;

    /// <summary>
    /// Gets or sets a value that an observer attaches to the connection. All calls on the connection share the value. Use it only in
    /// <see cref="IRpcObserver.OnStarted"/>.
    /// </summary>
    public object? ConnectionTag
    {
        get => _stream.ConnectionTag;
        set => _stream.ConnectionTag = value;
    }

    /// <summary>Gets an object that identifies the call's connection. It is the same object for all calls on this connection.</summary>
    public object Connection => _stream.Connection;

    /// <summary>
    /// Gets whether the client has disconnected or has cancelled the call. An expired deadline does not count. Can be read on any thread until the call has
    /// ended.
    /// </summary>
    public bool IsAborted => _stream.IsAborted;

    /// <summary>Gets the client's address; null if unknown.</summary>
    public IPAddress? RemoteAddress => _stream.RemoteAddress;

    /// <summary>Gets the client's validated TLS certificate; null if the server does not request one.</summary>
    public X509Certificate2? RemoteCertificate => _stream.RemoteCertificate;

    /// <summary>
    /// Gets or sets whether <see cref="RpcRouterOptions.Authorize"/> has authenticated a call on this connection. Only that callback uses this property.
    /// </summary>
    public bool IsConnectionKnown
    {
        get => _stream.IsConnectionKnown;
        set => _stream.IsConnectionKnown = value;
    }

    /// <summary>
    /// Gets or sets data that <see cref="RpcRouterOptions.Authorize"/> stores about the last caller on this connection. Only that callback uses this property.
    /// </summary>
    public object? ConnectionCaller
    {
        get => _stream.ConnectionCaller;
        set => _stream.ConnectionCaller = value;
    }

    /// <summary>Gets or sets data that <see cref="RpcRouterOptions.Authorize"/> passes to the handler about the caller. The default is null.</summary>
    public object? Caller { get; set; }

    /// <summary>Gets the time until the client's deadline. It is negative if the deadline has passed, and null if there is no deadline.</summary>
    public TimeSpan? Remaining => Timeout is { } timeout ? timeout - Elapsed : null;

    /// <summary>Gets the time since the call arrived.</summary>
    public TimeSpan Elapsed => _time.GetElapsedTime(StartedAt);

    /// <summary>Gets the client's <c>grpc-timeout</c>; null if there is none.</summary>
    public TimeSpan? Timeout { get; internal set; }

    /// <summary>Gets the number of bytes of the request body that have arrived.</summary>
    public long ReceivedBytes => _stream.ReceivedBytes;

    /// <summary>
    /// Gets the number of bytes of the response body that were written, including bytes that were not sent yet. Read this property only on the handler's thread
    /// or in <see cref="IRpcObserver.OnCompleted"/>.
    /// </summary>
    public long WrittenBytes => _stream.SentBytes + _stream.Output.UnflushedBytes;

    /// <summary>Gets a token that is cancelled when the client disconnects, the deadline passes, or the grace period at shutdown ends.</summary>
    public CancellationToken Cancelled => (_cancellation ??= new CallCancellation(Remaining, _time, _stream.Aborted)).Token;

    /// <summary>Gets the status of the call. It is OK unless the call has failed.</summary>
    public Status Status { get; private set; } = Status.Ok;

    /// <summary>Gets the clock for the deadline.</summary>
    public TimeProvider TimeProvider => _time;

    /// <summary>
    /// Gets the time at which the call arrived, as a timestamp of <see cref="TimeProvider"/> (<see cref="System.TimeProvider.GetTimestamp"/>).
    /// </summary>
    public long StartedAt { get; private set; }

    /// <summary>
    /// Gets or sets the time from the arrival of the call to the start of its pushed responses, which may continue for days. Null if the call has no such
    /// responses, or if they have not started.
    /// </summary>
    internal TimeSpan? BeganAfter { get; set; }

    internal RpcStream Stream => _stream;

    internal StreamOutput Output => _stream.Output;

    internal List<KeyValuePair<string, string>>? Headers { get; private set; }

    internal List<KeyValuePair<string, string>>? Trailers { get; private set; }

    internal MessageWriter Writer { get; } = new();

    internal bool IsExpired => Timeout is { } timeout && Elapsed >= timeout;

    /// <summary>
    /// Gets or sets whether the handler must run only once. By default, if a handler requests space for a large response and there is no space, the handler is
    /// abandoned and run again later. A handler with side effects must first set this property to true. Its response then stays in memory until the client
    /// reads it.
    /// </summary>
    public bool RunsOnce { get; set; }

    /// <summary>Fails the call. If called several times, the last status applies.</summary>
    /// <exception cref="ArgumentException">The status is OK.</exception>
    public void Fail(Status status)
    {
        if (status.IsOk)
        {
            throw new ArgumentException("A call cannot fail with the status code OK.", nameof(status));
        }

        Status = status;
    }

    /// <summary>Adds a trailer to the response, after the status.</summary>
    /// <param name="name">The name: lower case, ASCII.</param>
    /// <param name="value">The value: printable ASCII.</param>
    public void AddTrailer(string name, string value) => (Trailers ??= []).Add(new(name, value));

    /// <summary>
    /// Adds a header to the response. Headers are sent before the first message. A response that consists only of an error does not contain these headers.
    /// </summary>
    /// <param name="name">The name: lower case, ASCII.</param>
    /// <param name="value">The value: printable ASCII.</param>
    public void AddHeader(string name, string value) => (Headers ??= []).Add(new(name, value));

    /// <summary>Resets the call's stream immediately, even if data is still being sent.</summary>
    public void Abort() => _stream.Reset();

    /// <summary>Gets or sets whether the response contains any byte of a message.</summary>
    internal bool HasBody { get; set; }

    /// <summary>Returns the status of a cancelled call: DEADLINE_EXCEEDED if the deadline ended the call, otherwise CANCELLED.</summary>
    internal Status CancellationStatus() => IsExpired || _cancellation is { HasExpired: true }
        ? new Status(StatusCode.DeadlineExceeded, "The deadline passed while the call was running.")
        : new Status(StatusCode.Cancelled, "The call was cancelled.");

    internal void EndMessage()
    {
        Writer.EndMessage();
        HasBody = true;
    }

    /// <summary>Ends a message that a failed handler left unfinished, so that the response is well-formed.</summary>
    internal void CloseMessage()
    {
        if (Writer.HasUnfinishedMessage)
        {
            EndMessage();
        }
    }

    /// <summary>Resets the context for the next call.</summary>
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

    /// <summary>Records the arrival time of the call.</summary>
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
