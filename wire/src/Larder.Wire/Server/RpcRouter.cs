using System.Collections.Frozen;

namespace Larder.Wire;

/// <summary>
/// Contains the methods of a gRPC server by path, and applies the rules for every call: authorization, deadline, size and status. All methods must be mapped
/// before the first request.
/// </summary>
public sealed class RpcRouter
{
    private static readonly Status NoMemory = new(StatusCode.ResourceExhausted, "The server does not have enough memory for this call; try again later.");

    private readonly RpcRouterOptions _options;
    private readonly Dictionary<string, RpcRoute> _mapped = new(StringComparer.Ordinal);
    private FrozenDictionary<string, RpcRoute>? _routes;

    /// <summary>Creates a router without methods.</summary>
    public RpcRouter(RpcRouterOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.MaxReceiveMessageBytes);
        _options = options;
    }

    /// <summary>Maps a unary method with raw bytes. This is the fastest kind of method.</summary>
    /// <param name="path">The path: <c>/package.Service/Rpc</c>.</param>
    /// <param name="handler">The handler.</param>
    public void MapUnary(string path, RawUnaryHandler handler) => Map(new RawUnaryRoute(path, handler));

    /// <summary>Maps a unary method with typed messages.</summary>
    public void MapUnary<TRequest, TResponse>(
        string path,
        MessageCodec<TRequest> requests,
        MessageCodec<TResponse> responses,
        Func<TRequest, RpcContext, ValueTask<TResponse>> handler) => Map(new UnaryRoute<TRequest, TResponse>(path, requests, responses, handler));

    /// <summary>Maps a server-streaming method with raw bytes.</summary>
    public void MapServerStream(string path, RawServerStreamHandler handler) => Map(new ServerStreamRoute(path, handler));

    /// <summary>Maps a server-streaming method with typed messages.</summary>
    public void MapServerStream<TRequest, TResponse>(
        string path,
        MessageCodec<TRequest> requests,
        MessageCodec<TResponse> responses,
        Func<TRequest, ResponseStream<TResponse>, RpcContext, Task> handler) =>
        Map(
            new ServerStreamRoute(
                path,
                (payload, frames, call) => new ValueTask(handler(requests.Decode(payload), new ResponseStream<TResponse>(frames, responses), call))));

    /// <summary>
    /// Maps a server-streaming method whose responses the connection reads from a source. Use this method for long-lived calls that send the same data.
    /// </summary>
    public void MapPush(string path, PushHandler handler) => Map(new PushRoute(path, handler));

    /// <summary>Maps a bidirectional method.</summary>
    public void MapDuplex(string path, Func<DuplexStream, RpcContext, Task> handler) => Map(new DuplexRoute(path, handler));

    /// <summary>Gets the maximum request size of each method that takes a single message, by path.</summary>
    public IReadOnlyDictionary<string, int> MaxRequestBytes =>
        _mapped.Values.OfType<SingleRequestRoute>().ToDictionary(static route => route.Path, static route => route.MaxRequestBytes, StringComparer.Ordinal);

    /// <summary>Gets the observer of connections and calls; null if there is none.</summary>
    internal IRpcObserver? Observer => _options.Observer;

    /// <summary>
    /// Accepts a call whose headers have arrived. Returns the route of the call. Returns null if the call is rejected; its status is then set.
    /// </summary>
    internal RpcRoute? Open(RpcContext call)
    {
        call.Start(_options.TimeProvider);
        RpcRoute? route = Find(call);
        _options.Observer?.OnStarted(call);
        try
        {
            if (Check(call, route) is not { } refusal)
            {
                if (_options.Authorize is null)
                {
                    // No authorization is configured. So the connection counts as authenticated after its first valid call.
                    call.IsConnectionKnown = true;
                }

                return route;
            }

            call.Fail(refusal);
        }
#pragma warning disable CA1031 // An exception from the callback ends the call with a status.
        catch (Exception error)
#pragma warning restore CA1031
        {
            SetFailure(call, error);
        }

        return null;
    }

    /// <summary>Runs the handler of a call and then ends the call. If the handler completes synchronously, both happen on this thread.</summary>
    internal void Run(RpcContext call, RpcRoute route)
    {
        try
        {
            ValueTask run = _options.Intercept is null ? route.RunAsync(call, _options) : InterceptThenRunAsync(call, route, _options.Intercept);
            if (!run.IsCompletedSuccessfully)
            {
                _ = FinishAfterAsync(run, call);
                return;
            }

            run.GetAwaiter().GetResult();
        }
        catch (BackpressureException)
        {
            call.Stream.RunWhenSpace();
            return;
        }
#pragma warning disable CA1031 // An exception from the handler ends the call with a status.
        catch (Exception error)
#pragma warning restore CA1031
        {
            SetFailure(call, error);
        }

        Finish(call);
    }

    /// <summary>Ends a call whose client disconnected before the handler started.</summary>
    internal void Drop(RpcContext call)
    {
        call.Fail(call.CancellationStatus());
        Finish(call);
    }

    /// <summary>Runs the handler of a call again after there was no space for its response. If the client has disconnected, ends the call instead.</summary>
    /// <returns>A task that completes when the call has ended or waits for space again.</returns>
    internal Task Resume(RpcContext call, RpcRoute route)
    {
        if (call.Stream.IsAborted)
        {
            Drop(call);
            return Task.CompletedTask;
        }

        ValueTask run;
        try
        {
            run = route.RunAsync(call, _options);
        }
#pragma warning disable CA1031 // An exception from the handler ends the call with a status.
        catch (Exception error)
#pragma warning restore CA1031
        {
            run = ValueTask.FromException(error);
        }

        return FinishAfterAsync(run, call);
    }

    /// <summary>Rejects a call with a status. The observer is notified of the start and of the end of the call.</summary>
    internal void Refuse(RpcContext call, Status status)
    {
        call.Start(_options.TimeProvider);
        _options.Observer?.OnStarted(call);
        call.Fail(status);
        Finish(call);
    }

    /// <summary>Ends a call. Notifies the observer and sends the rest of the response.</summary>
    internal void Finish(RpcContext call)
    {
        call.CloseMessage();
        _options.Observer?.OnCompleted(call, call.Status.Code, call.BeganAfter ?? call.Elapsed);
        call.End();
        call.Stream.Finish();
    }

    /// <summary>Fails a call whose request message is invalid.</summary>
    internal void Fail(RpcContext call, RpcException error)
    {
        call.Fail(error.Status);
        foreach (KeyValuePair<string, string> trailer in error.Trailers)
        {
            call.AddTrailer(trailer.Key, trailer.Value);
        }

        if (_options.MessageLimitCause is { } cause && call.Stream.Route is { } route && error.Status == MessageLimit.Exceeded(route.MaxRequestBytes))
        {
            call.AddTrailer(RpcException.CauseTrailer, cause);
        }
    }

    private void Map(RpcRoute route)
    {
        if (_routes is not null)
        {
            throw new InvalidOperationException(
                $"Cannot map {route.Path}: the router has already received a request. Map all methods before the server starts.");
        }

        int most = _options.MaxReceiveMessageBytes;
        route.MaxRequestBytes = route is SingleRequestRoute && _options.MaxRequestBytes is { } limit ? Math.Min(limit(route.Path), most) : most;
        route.Index = _mapped.Count;
        _mapped.Add(route.Path, route);
    }

    private RpcRoute? Find(RpcContext call)
    {
        FrozenDictionary<string, RpcRoute> routes = _routes ??= _mapped.ToFrozenDictionary(StringComparer.Ordinal);
        if (!routes.TryGetValue(call.Path, out RpcRoute? route))
        {
            return null;
        }

        call.RouteIndex = route.Index;
        return route;
    }

    private async ValueTask InterceptThenRunAsync(RpcContext call, RpcRoute route, Func<RpcContext, ValueTask<Status?>> intercept)
    {
        if (await intercept(call).ConfigureAwait(false) is { } refusal)
        {
            call.Fail(refusal);
            return;
        }

        await route.RunAsync(call, _options).ConfigureAwait(false);
    }

    private Status? Check(RpcContext call, RpcRoute? route)
    {
        // The authorization is checked first, because unauthorized callers must not learn which methods exist.
        if (_options.Authorize?.Invoke(call) is { } stranger)
        {
            return stranger;
        }

        if (route is null)
        {
            return new Status(StatusCode.Unimplemented, $"Unknown method {call.Path}; this server does not support it.");
        }

        string timeout = call.RequestHeaders.Timeout;
        if (timeout.Length > 0)
        {
            if (!RpcTimeout.TryParse(timeout, out TimeSpan parsed))
            {
                return new Status(StatusCode.InvalidArgument, "Invalid grpc-timeout: it must be one to eight digits and a unit.");
            }

            call.Timeout = parsed;
        }

        string encoding = call.RequestHeaders.Encoding;
        if (!MessageEncoding.IsKnown(encoding))
        {
            call.AddTrailer("grpc-accept-encoding", MessageEncoding.Accepted);
            return new Status(StatusCode.Unimplemented, $"Unsupported encoding '{encoding}'; use {MessageEncoding.Accepted}.");
        }

        return null;
    }

    private async Task FinishAfterAsync(ValueTask run, RpcContext call)
    {
        try
        {
            await run.ConfigureAwait(false);
        }
        catch (BackpressureException)
        {
            call.Stream.RunWhenSpace();
            return;
        }
#pragma warning disable CA1031 // An exception from the handler ends the call with a status.
        catch (Exception error)
#pragma warning restore CA1031
        {
            SetFailure(call, error);
        }

        Finish(call);
    }

    private void SetFailure(RpcContext call, Exception error)
    {
        switch (error)
        {
            case RpcException known:
                Fail(call, known);
                break;
            case OperationCanceledException:
            case IOException when call.Stream.IsAborted:
                // If the deadline ended the call, the client may still be connected and read the status. Otherwise, no client is waiting for the status.
                call.Fail(call.CancellationStatus());
                break;
            case OutOfMemoryException:
                call.Fail(NoMemory);
                break;
            default:
                _options.OnHandlerFault?.Invoke(call, error);
                call.Fail(new Status(StatusCode.Internal, "Internal server error; see the server's log."));
                break;
        }
    }
}
