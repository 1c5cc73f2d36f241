using System.Collections.Frozen;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace Larder.Wire;

/// <summary>
/// The calls of a gRPC server by their paths, and the rules that hold for each: who may call, until when, how large, and how it ends.
/// Calls are mapped first; the first request closes the list.
/// </summary>
public sealed class RpcRouter
{
    private const string ContentType = "application/grpc";

    private readonly RpcRouterOptions _options;
    private readonly Dictionary<string, RpcRoute> _mapped = new(StringComparer.Ordinal);
    private FrozenDictionary<string, RpcRoute>? _routes;

    /// <summary>A router without calls.</summary>
    public RpcRouter(RpcRouterOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.MaxReceiveMessageBytes);
        _options = options;
    }

    /// <summary>Maps a unary call in bytes: the fastest way.</summary>
    /// <param name="path"><c>/package.Service/Rpc</c>.</param>
    /// <param name="handler">Answers it.</param>
    public void MapUnary(string path, RawUnaryHandler handler) => Map(new RawUnaryRoute(path, handler));

    /// <summary>Maps a unary call between messages.</summary>
    public void MapUnary<TRequest, TResponse>(string path, MessageCodec<TRequest> requests, MessageCodec<TResponse> responses, Func<TRequest, RpcContext, ValueTask<TResponse>> handler) =>
        Map(new UnaryRoute<TRequest, TResponse>(path, requests, responses, handler));

    /// <summary>Maps a server-streaming call in bytes.</summary>
    public void MapServerStream(string path, RawServerStreamHandler handler) => Map(new ServerStreamRoute(path, handler));

    /// <summary>Maps a server-streaming call between messages.</summary>
    public void MapServerStream<TRequest, TResponse>(string path, MessageCodec<TRequest> requests, MessageCodec<TResponse> responses, Func<TRequest, ResponseStream<TResponse>, RpcContext, Task> handler) =>
        Map(new ServerStreamRoute(path, (payload, frames, call) => new ValueTask(handler(requests.Decode(payload), new ResponseStream<TResponse>(frames, responses), call))));

    /// <summary>Maps a bidirectional call.</summary>
    public void MapDuplex(string path, Func<DuplexStream, RpcContext, Task> handler) => Map(new DuplexRoute(path, handler));

    /// <summary>Answers one request: the host's <see cref="RequestDelegate"/>.</summary>
    public Task InvokeAsync(HttpContext http)
    {
        ArgumentNullException.ThrowIfNull(http);
        if (!IsGrpc(http))
        {
            return RpcRefusal.Answer(http);
        }

        RpcContext call = new(http, _options.TimeProvider);
        http.Response.ContentType = ContentType;
        RpcRoute? route = Find(call);
        _options.Observer?.OnStarted(call);
        try
        {
            ValueTask run = RunAsync(call, route);
            if (!run.IsCompletedSuccessfully)
            {
                return FinishAfterAsync(run, call);
            }

            run.GetAwaiter().GetResult();
        }
#pragma warning disable CA1031 // Whatever a handler throws ends its call with a status.
        catch (Exception error)
#pragma warning restore CA1031
        {
            SetFailure(call, error);
        }

        Finish(call);
        return Task.CompletedTask;
    }

    private static bool IsGrpc(HttpContext http)
    {
        HttpRequest request = http.Request;
        return HttpProtocol.IsHttp2(request.Protocol)
            && HttpMethods.IsPost(request.Method)
            && request.ContentType is { } type
            && type.StartsWith(ContentType, StringComparison.OrdinalIgnoreCase)
            && (type.Length == ContentType.Length || type[ContentType.Length] is '+' or ';');
    }

    private void Map(RpcRoute route)
    {
        if (_routes is not null)
        {
            throw new InvalidOperationException("Calls are mapped before the first request.");
        }

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

    private ValueTask RunAsync(RpcContext call, RpcRoute? route)
    {
        if (Check(call, route) is { } refusal)
        {
            call.Fail(refusal);
            return default;
        }

        return _options.Intercept is null ? route!.RunAsync(call, _options) : InterceptThenRunAsync(call, route!, _options.Intercept);
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
        if (route is null)
        {
            return new Status(StatusCode.Unimplemented, $"This server does not have {call.Path}.");
        }

        StringValues timeout = call.RequestHeaders.GrpcTimeout;
        if (timeout.Count > 0)
        {
            if (!RpcTimeout.TryParse(timeout.ToString(), out TimeSpan parsed))
            {
                return new Status(StatusCode.InvalidArgument, "grpc-timeout is not one to eight digits and a unit.");
            }

            call.Timeout = parsed;
        }

        StringValues encoding = call.RequestHeaders.GrpcEncoding;
        if (encoding.Count > 0 && !MessageEncoding.IsKnown(encoding))
        {
            call.Http.Response.Headers.GrpcAcceptEncoding = MessageEncoding.Accepted;
            return new Status(StatusCode.Unimplemented, $"The encoding {encoding} is not known; {MessageEncoding.Accepted} are.");
        }

        return _options.Authorize?.Invoke(call);
    }

    private async Task FinishAfterAsync(ValueTask run, RpcContext call)
    {
        try
        {
            await run.ConfigureAwait(false);
        }
#pragma warning disable CA1031 // Whatever a handler throws ends its call with a status.
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
            case BadHttpRequestException:
            case Microsoft.AspNetCore.Connections.ConnectionResetException:
                // Nobody is left to read the status, unless the deadline was what ended it.
                call.Fail(call.CancellationStatus());
                break;
            default:
                _options.OnHandlerFault?.Invoke(call, error);
                call.Fail(new Status(StatusCode.Internal, "The call failed inside the server."));
                break;
        }
    }

    private void Fail(RpcContext call, RpcException error)
    {
        call.Fail(error.Status);
        foreach (KeyValuePair<string, string> trailer in error.Trailers)
        {
            call.AddTrailer(trailer.Key, trailer.Value);
        }

        if (_options.MessageLimitCause is { } cause && error.Status == MessageLimit.Exceeded(_options.MaxReceiveMessageBytes))
        {
            call.AddTrailer(RpcException.CauseTrailer, cause);
        }
    }

    private void Finish(RpcContext call)
    {
        call.CloseMessage();
        call.WriteStatus();
        call.End();
        _options.Observer?.OnCompleted(call, call.Status.Code, call.Elapsed);
    }
}
