using System.Diagnostics.CodeAnalysis;
using Larder.Wire.Http2;
using Larder.Wire.Sockets;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <content>
/// Contains the code that connects. There is one attempt at a time, which all waiting callers share. Cancelling a caller does not cancel the attempt.
/// </content>
[SuppressMessage(
    "Reliability",
    "CA1001",
    Justification = "The token source has no timer and no wait handle to release; attempts may still look at it when the channel is closed.")]
public sealed partial class RpcChannel
{
    private readonly Lock _lock = new();
    private readonly CancellationTokenSource _closing = new();
    private readonly HashSet<Http2Connection> _connections = [];
    private volatile Http2Connection? _connection;
    private Task<Http2Connection>? _connecting;

    /// <summary>Connects in advance, so that the first call does not have to wait. The task completes when the server's settings have arrived.</summary>
    /// <exception cref="RpcException">UNAVAILABLE: the server cannot be reached. The message states the reason.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled the operation.</exception>
    public async ValueTask ConnectAsync(CancellationToken cancellationToken) =>
        await ConnectedAsync(timeout: null, cancellationToken).On(PoolQueue.Work);

    // Returns the open connection, or waits for a new one.
    private async ValueTask<Http2Connection> ConnectedAsync(TimeSpan? timeout, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Task<Http2Connection> connecting;
        lock (_lock)
        {
            if (_connection is { IsOpen: true } open)
            {
                return open;
            }

            if (_closing.IsCancellationRequested)
            {
                throw new RpcException(new Status(StatusCode.Unavailable, "The channel is closed."), notProcessed: true);
            }

            if (_connecting is null or { IsCompleted: true })
            {
                using (ExecutionContext.SuppressFlow())
                {
                    _connecting = MakeConnectionAsync();
                }
            }

            connecting = _connecting;
        }

        try
        {
            return await connecting.WaitAsync(WaitFor(timeout), _options.TimeProvider, cancellationToken).On(PoolQueue.Work);
        }
        catch (TimeoutException)
        {
            throw CallFailure.Expired();
        }
        catch (OperationCanceledException error) when (cancellationToken.IsCancellationRequested)
        {
            throw CallFailure.GivenUp(cancellationToken, error);
        }
    }

    private async Task<Http2Connection> MakeConnectionAsync()
    {
        // Continue on another thread, because the caller's thread holds a lock.
        await PoolQueue.Work.Yield();
        using CancellationTokenSource timeout = new(_options.ConnectTimeout, DedicatedTime.Instance);
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(_closing.Token, timeout.Token);
        try
        {
            IByteTransport transport = await Http2Connector.ConnectAsync(_options, limit.Token).On(PoolQueue.Work);
            Http2Connection connection = Http2Connection.Start(transport, _options);
            try
            {
                await connection.ReadyAsync(limit.Token).On(PoolQueue.Work);
            }
            catch (Exception error)
            {
                connection.Close();
                if (error is IOException or RpcException { Status.Code: StatusCode.Unavailable, InnerException: not ProtocolMismatchException })
                {
                    throw ClosedUnanswered(error, _options.Endpoint.Scheme == Uri.UriSchemeHttps);
                }

                throw;
            }

            return Publish(connection);
        }
        catch (OperationCanceledException error)
        {
            string why = _closing.IsCancellationRequested
                ? "The channel is closed."
                : $"The connection was not established within {_options.ConnectTimeout.TotalSeconds} s.";
            throw new RpcException(new Status(StatusCode.Unavailable, why), notProcessed: true, error);
        }
        catch (Exception error) when (error is HttpRequestException or IOException)
        {
            throw TransportFailure.From(error);
        }
    }

    // If a server requires a client certificate, it may reject the given certificate only by closing the connection. A server that requires TLS may do the
    // same.
    private static RpcException ClosedUnanswered(Exception error, bool isTls)
    {
        const string OverTls = "The server closed the connection after the TLS handshake; check whether the server requires a client certificate, and "
            + "whether it trusts the certificate of this client.";
        const string InPlaintext = "The server closed the connection before it responded; check whether the port requires TLS (an https:// address).";
        string hint = isTls ? OverTls : InPlaintext;
        string why = error is RpcException failed ? failed.Status.Message : error.Message;
        return new RpcException(new Status(StatusCode.Unavailable, $"{hint} {why}"), notProcessed: true, (error as RpcException)?.InnerException ?? error);
    }

    private Http2Connection Publish(Http2Connection connection)
    {
        bool isClosed;
        lock (_lock)
        {
            isClosed = _closing.IsCancellationRequested;
            if (!isClosed)
            {
                _connections.Add(connection);
                _connection = connection;
            }
        }

        if (isClosed)
        {
            connection.Close();
        }
        else
        {
            connection.OnClosed(Forget);
        }

        return connection;
    }

    private void Forget(Http2Connection connection)
    {
        lock (_lock)
        {
            _connections.Remove(connection);
            if (_connection == connection)
            {
                _connection = null;
            }
        }
    }

    private void CloseConnections()
    {
        Http2Connection[] connections;
        lock (_lock)
        {
            connections = [.. _connections];
        }

        foreach (Http2Connection connection in connections)
        {
            connection.Close();
        }
    }

    // Timers count milliseconds in 32 bits. A longer wait is treated as infinite.
    private static TimeSpan WaitFor(TimeSpan? timeout) =>
        timeout is { } limit && limit < TimeSpan.FromDays(49) ? limit : Timeout.InfiniteTimeSpan;
}
