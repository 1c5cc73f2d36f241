using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Net.Http;
using System.Runtime.CompilerServices;

namespace Larder.Wire;

/// <summary>
/// One HTTP/2 connection at a time to one server, and the calls over it. It connects with the first call or by <see cref="ConnectAsync"/>, and again
/// when the connection was lost. Calls beyond the server's stream limit wait inside: whoever shares calls among channels keeps below it.
/// </summary>
public sealed partial class RpcChannel : IAsyncDisposable
{
    // Free call objects kept: more calls than the contract's 100 streams, at about 5 KB each, are made anew.
    private const int MaxFreeCalls = 256;

    private readonly RpcChannelOptions _options;
    private readonly HttpMessageInvoker _invoker;
    private readonly ConcurrentStack<UnaryCall> _free = new();
    private readonly DeadlineSweep _deadlines;

    /// <summary>A channel that has not connected yet.</summary>
    /// <exception cref="ArgumentException">The endpoint is neither http nor https, or a time is negative.</exception>
    public RpcChannel(RpcChannelOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (!options.Endpoint.IsAbsoluteUri || options.Endpoint.Scheme is not ("http" or "https"))
        {
            throw new ArgumentException($"The endpoint '{options.Endpoint}' is neither http:// nor https://.", nameof(options));
        }

        _options = options;
        _deadlines = new DeadlineSweep(options.TimeProvider);
        _invoker = new HttpMessageInvoker(ChannelHandler.Create(options), disposeHandler: true);
    }

    /// <summary>The server.</summary>
    public Uri Endpoint => _options.Endpoint;

    /// <summary>Calls a unary rpc.</summary>
    /// <param name="method">The rpc.</param>
    /// <param name="request">Its request, encoded before the first wait.</param>
    /// <param name="headers">Its metadata.</param>
    /// <param name="timeout">The time it may take, also sent as <c>grpc-timeout</c>; null for none. It is met within 10 ms.</param>
    /// <param name="cancellationToken">Gives the call up.</param>
    /// <returns>The answer.</returns>
    /// <exception cref="RpcException">The call failed; DEADLINE_EXCEEDED when <paramref name="timeout"/> passed.</exception>
    /// <exception cref="OperationCanceledException">The caller gave it up.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(RpcMethod<TRequest, TResponse> method, TRequest request, RpcHeaders headers, TimeSpan? timeout, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(method);
        ArgumentNullException.ThrowIfNull(headers);
        cancellationToken.ThrowIfCancellationRequested();
        CallFailure.ThrowIfSpent(timeout);
        UnaryCall call = Rent();
        bool isClean = false;
        try
        {
            call.Begin(method, request, Endpoint, headers, timeout is { } time ? RpcTimeout.Format(time) : null, _options.AcceptGzip);
            if (timeout is { } limit)
            {
                call.SetDeadline(_deadlines.DeadlineAfter(limit));
                _deadlines.Wake();
            }

            TResponse response = await call.ExchangeAsync(_invoker, method, _options.MaxReceiveMessageBytes, cancellationToken).ConfigureAwait(false);
            isClean = true;
            return response;
        }
        catch (Exception error) when (error is not RpcException || call.HasExpired)
        {
            throw CallFailure.From(error, call.HasExpired, cancellationToken);
        }
        finally
        {
            Return(call, isClean);
        }
    }

    /// <summary>Ends the connection; calls under way fail with UNAVAILABLE.</summary>
    public ValueTask DisposeAsync()
    {
        _invoker.Dispose();
        _deadlines.Dispose();
        while (_free.TryPop(out UnaryCall? call))
        {
            call.Dispose();
        }

        return ValueTask.CompletedTask;
    }

    private UnaryCall Rent()
    {
        if (_free.TryPop(out UnaryCall? call))
        {
            return call;
        }

        call = new UnaryCall();
        _deadlines.Add(call);
        return call;
    }

    private void Return(UnaryCall call, bool isClean)
    {
        if (isClean && call.TryRelease() && _free.Count < MaxFreeCalls)
        {
            _free.Push(call);
            return;
        }

        // Not disposed: the HTTP stack may still hold the request of a call that did not end cleanly.
        _deadlines.Remove(call);
    }
}
