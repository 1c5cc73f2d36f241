using System.Globalization;
using Microsoft.AspNetCore.Http;

namespace Larder.Wire;

/// <summary>One call as its handler sees it. It ends with the call and is not kept beyond it.</summary>
public sealed class RpcContext
{
    private readonly TimeProvider _time;
    private CallCancellation? _cancellation;
    private List<KeyValuePair<string, string>>? _trailers;

    internal RpcContext(HttpContext http, TimeProvider time)
    {
        Http = http;
        _time = time;
        StartedAt = time.GetTimestamp();
    }

    /// <summary>The call's path as sent: <c>/package.Service/Rpc</c>.</summary>
    public string Path => Http.Request.Path.Value ?? "";

    /// <summary>The place of the call in the order in which calls were mapped, from 0; -1 where the server does not have it.</summary>
    public int RouteIndex { get; internal set; } = -1;

    /// <summary>The request's metadata.</summary>
    public IHeaderDictionary RequestHeaders => Http.Request.Headers;

    /// <summary>The time left until the caller's deadline, negative when it has passed; null where the caller set none.</summary>
    public TimeSpan? Remaining => Timeout is { } timeout ? timeout - Elapsed : null;

    /// <summary>Since the call arrived.</summary>
    public TimeSpan Elapsed => _time.GetElapsedTime(StartedAt);

    /// <summary>The caller's <c>grpc-timeout</c>; null where there is none.</summary>
    public TimeSpan? Timeout { get; internal set; }

    /// <summary>Cancelled when the caller is gone, the deadline has passed, or the server's grace at shutdown is over.</summary>
    public CancellationToken Cancelled => (_cancellation ??= new CallCancellation(Remaining, _time, Http.RequestAborted)).Token;

    /// <summary>How the call stands: OK until it was failed.</summary>
    public Status Status { get; private set; } = Status.Ok;

    /// <summary>The clock that the call's deadline goes by.</summary>
    public TimeProvider TimeProvider => _time;

    /// <summary>The request underneath, for features of the host that this layer does not know.</summary>
    public HttpContext Http { get; }

    internal long StartedAt { get; }

    internal MessageWriter Writer { get; } = new();

    internal bool IsExpired => Timeout is { } timeout && Elapsed >= timeout;

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
    public void AddTrailer(string name, string value) => (_trailers ??= []).Add(new(name, value));

    /// <summary>Puts the status where it belongs: in the headers where nothing was written (trailers only), in the trailers otherwise.</summary>
    internal void WriteStatus()
    {
        bool trailersOnly = !Status.IsOk && !Http.Response.HasStarted && !HasBody;
        IHeaderDictionary destination = trailersOnly ? Http.Response.Headers : Trailers();
        destination.GrpcStatus = StatusText.Of(Status.Code);
        if (Status.Message.Length > 0)
        {
            destination.GrpcMessage = StatusMessage.Encode(Status.Message);
        }

        if (_trailers is not null)
        {
            foreach (KeyValuePair<string, string> trailer in _trailers)
            {
                destination[trailer.Key] = Microsoft.Extensions.Primitives.StringValues.Concat(destination[trailer.Key], trailer.Value);
            }
        }
    }

    /// <summary>True once a byte of a message is in the response.</summary>
    internal bool HasBody { get; set; }

    /// <summary>Whether the call's end was the deadline's doing or the caller's.</summary>
    internal Status CancellationStatus() => IsExpired
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

    internal void End() => _cancellation?.Dispose();

    private IHeaderDictionary Trailers() =>
        Http.Features.Get<Microsoft.AspNetCore.Http.Features.IHttpResponseTrailersFeature>()?.Trailers
        ?? throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"{Http.Request.Protocol} has no trailers."));
}
