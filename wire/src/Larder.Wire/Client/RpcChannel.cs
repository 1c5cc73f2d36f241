using System.Diagnostics.CodeAnalysis;
using Larder.Wire.Http2;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <summary>
/// One HTTP/2 connection at a time to one server, and the calls over it. It connects with the first call or by <see cref="ConnectAsync"/>, and again
/// when the connection was lost. Calls beyond the server's stream limit wait inside, 20,000 of them (<see cref="WaitingCalls"/>); one more is refused.
/// Whoever shares calls among channels keeps below the limit.
/// </summary>
public sealed partial class RpcChannel : IAsyncDisposable
{
    private readonly RpcChannelOptions _options;

    /// <summary>A channel that has not connected yet.</summary>
    /// <exception cref="ArgumentException">The endpoint is neither http nor https, or a time is negative.</exception>
    public RpcChannel(RpcChannelOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (!options.Endpoint.IsAbsoluteUri || options.Endpoint.Scheme is not ("http" or "https"))
        {
            throw new ArgumentException($"The endpoint '{options.Endpoint}' is neither http:// nor https://.", nameof(options));
        }

        CheckTime(options.ConnectTimeout, nameof(options.ConnectTimeout));
        CheckTime(options.KeepAlivePingDelay, nameof(options.KeepAlivePingDelay));
        CheckTime(options.KeepAlivePingTimeout, nameof(options.KeepAlivePingTimeout));
        _options = options with { TimeProvider = DedicatedTime.For(options.TimeProvider) };
    }

    /// <summary>The server.</summary>
    public Uri Endpoint => _options.Endpoint;

    /// <summary>True while it has a connection that takes new calls: neither lost nor going away.</summary>
    public bool IsConnected => _connection is { IsOpen: true };

    /// <summary>True once it is disposed of: it connects no more.</summary>
    public bool IsClosed => _closing.IsCancellationRequested;

    /// <summary>Streams that the server lets be open at once on the connection; null while there is none.</summary>
    public int? StreamLimit => _connection is { IsOpen: true } open ? open.StreamLimit : null;

    /// <summary>Calls under way on the connection.</summary>
    public int ActiveCalls => _connection?.Active ?? 0;

    /// <summary>Calls that wait for a place on the connection.</summary>
    public int WaitingCalls => _connection?.Waiting ?? 0;

    /// <summary>Calls a unary rpc.</summary>
    /// <param name="method">The rpc.</param>
    /// <param name="request">Its request, encoded before the first wait.</param>
    /// <param name="headers">Its metadata.</param>
    /// <param name="timeout">The time it may take, also sent as <c>grpc-timeout</c>; null for none. It is met within 10 ms.</param>
    /// <param name="cancellationToken">Gives the call up.</param>
    /// <returns>The answer; awaited once, as every <see cref="ValueTask{TResult}"/>.</returns>
    /// <exception cref="RpcException">The call failed; DEADLINE_EXCEEDED when <paramref name="timeout"/> passed.</exception>
    /// <exception cref="OperationCanceledException">The caller gave it up.</exception>
    public ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method,
        TRequest request,
        RpcHeaders headers,
        TimeSpan? timeout,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(method);
        ArgumentNullException.ThrowIfNull(headers);
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<TResponse>(cancellationToken);
        }

        if (CallFailure.Spent(timeout) is { } spent)
        {
            return ValueTask.FromException<TResponse>(spent);
        }

        UnaryStream<TResponse> stream = Prepare(method, request, headers, timeout);
        return _connection is { } connection && connection.TryStart(stream)
            ? TaskOf(stream, cancellationToken)
            : ConnectThenCallAsync(stream, timeout, cancellationToken);
    }

    /// <summary>Ends the connection; calls under way fail with UNAVAILABLE.</summary>
    [SuppressMessage("Performance", "CA1849", Justification = "Cancelling asynchronously needs a free thread of the pool. What is registered is short.")]
    public ValueTask DisposeAsync()
    {
        _closing.Cancel();
        CloseConnections();
        return default;
    }

    private UnaryStream<TResponse> Prepare<TRequest, TResponse>(RpcMethod<TRequest, TResponse> method, TRequest request, RpcHeaders headers, TimeSpan? timeout)
    {
        UnaryStream<TResponse> stream = method.Streams.Rent();
        try
        {
            stream.Begin(method, request, headers, _options.MaxReceiveMessageBytes);
        }
        catch
        {
            stream.Abandon();
            throw;
        }

        if (timeout is { } limit)
        {
            stream.Timeout = RpcTimeout.Format(limit);
            stream.DeadlineAt = DeadlineAfter(limit);
        }

        return stream;
    }

    private static ValueTask<TResponse> TaskOf<TResponse>(UnaryStream<TResponse> stream, CancellationToken cancellationToken)
    {
        if (cancellationToken.CanBeCanceled)
        {
            stream.Obey(cancellationToken);
        }

        return stream.Task;
    }

    private async ValueTask<TResponse> ConnectThenCallAsync<TResponse>(UnaryStream<TResponse> stream, TimeSpan? timeout, CancellationToken cancellationToken)
    {
        ValueTask<TResponse> answer;
        try
        {
            Http2Connection connection;
            do
            {
                connection = await ConnectedAsync(timeout, cancellationToken).On(PoolQueue.Work);
            }
            while (!connection.TryStart(stream));
            answer = TaskOf(stream, cancellationToken);
        }
        catch
        {
            stream.Abandon();
            throw;
        }

        return await answer.ConfigureAwait(false);
    }

    // The instant at which a call begun now with this timeout ends.
    private long DeadlineAfter(TimeSpan timeout)
    {
        TimeProvider time = _options.TimeProvider;
        double ticks = timeout.TotalSeconds * time.TimestampFrequency;
        long now = time.GetTimestamp();
        return ticks >= long.MaxValue - now ? long.MaxValue : Math.Max(1, now + (long)ticks);
    }

    private static void CheckTime(TimeSpan time, string name)
    {
        if (time <= TimeSpan.Zero && time != Timeout.InfiniteTimeSpan)
        {
            throw new ArgumentException($"{name} is {time}; a time above zero, or infinite, is wanted.", nameof(time));
        }
    }
}
