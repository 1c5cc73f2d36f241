using System.Diagnostics.CodeAnalysis;
using Larder.Wire.Http2;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <summary>
/// A channel to one server, with one HTTP/2 connection at a time. It connects when the first call is made or <see cref="ConnectAsync"/> is called.
/// After the connection is lost, the next call reconnects. Calls above the server's stream limit are queued, up to 20,000 calls (<see cref="WaitingCalls"/>).
/// Further calls fail. A caller that distributes calls among several channels should stay below the stream limit.
/// </summary>
public sealed partial class RpcChannel : IAsyncDisposable
{
    private readonly RpcChannelOptions _options;

    /// <summary>Creates a channel without connecting.</summary>
    /// <exception cref="ArgumentException">The scheme of the endpoint is neither http nor https, or a time is not positive.</exception>
    public RpcChannel(RpcChannelOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (!options.Endpoint.IsAbsoluteUri || options.Endpoint.Scheme is not ("http" or "https"))
        {
            throw new ArgumentException($"The endpoint '{options.Endpoint}' must start with http:// or https://.", nameof(options));
        }

        CheckTime(options.ConnectTimeout, nameof(options.ConnectTimeout));
        CheckTime(options.KeepAlivePingDelay, nameof(options.KeepAlivePingDelay));
        CheckTime(options.KeepAlivePingTimeout, nameof(options.KeepAlivePingTimeout));
        _options = options with { TimeProvider = DedicatedTime.For(options.TimeProvider) };
    }

    /// <summary>Gets the server's endpoint.</summary>
    public Uri Endpoint => _options.Endpoint;

    /// <summary>Gets whether there is a connection that accepts new calls. Such a connection is neither lost nor draining.</summary>
    public bool IsConnected => _connection is { IsOpen: true };

    /// <summary>Gets whether the channel is disposed. A disposed channel no longer connects.</summary>
    public bool IsClosed => _closing.IsCancellationRequested;

    /// <summary>Gets the maximum number of concurrent streams on the connection, or null if there is no connection.</summary>
    public int? StreamLimit => _connection is { IsOpen: true } open ? open.StreamLimit : null;

    /// <summary>Gets the number of active calls on the connection.</summary>
    public int ActiveCalls => _connection?.Active ?? 0;

    /// <summary>Gets the number of calls that are waiting for a stream on the connection.</summary>
    public int WaitingCalls => _connection?.Waiting ?? 0;

    /// <summary>Calls a unary method.</summary>
    /// <param name="method">The method.</param>
    /// <param name="request">The request. It is encoded before the method returns.</param>
    /// <param name="headers">The metadata.</param>
    /// <param name="timeout">The timeout, which is also sent as <c>grpc-timeout</c>; null for no timeout. Its precision is 10 ms.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The response. Like every <see cref="ValueTask{TResult}"/>, it must be awaited only once.</returns>
    /// <exception cref="RpcException">The call failed. DEADLINE_EXCEEDED if <paramref name="timeout"/> passed.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled the call.</exception>
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

    /// <summary>Closes the connection. Active calls fail with UNAVAILABLE.</summary>
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

    // Returns the deadline, as a timestamp, of a call that begins now.
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
            throw new ArgumentException($"{name} must be greater than zero or infinite, but is {time}.", nameof(time));
        }
    }
}
