using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Larder.Wire.Http2;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>A listening gRPC server. The server accepts connections, monitors them, and shuts them down gracefully.</summary>
public sealed class RpcServer : IAsyncDisposable
{
    // The number of connections that the kernel queues until they are accepted.
    private const int Backlog = 512;
    private static readonly TimeSpan TickPeriod = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan RetryAccept = TimeSpan.FromMilliseconds(10);

    // The maximum time that the server waits for aborted connections. An aborted connection ends as soon as its thread handles the abort.
    private static readonly TimeSpan AbortTimeout = TimeSpan.FromMilliseconds(500);

    private static readonly List<SslApplicationProtocol> s_protocols = [SslApplicationProtocol.Http2];

    private readonly RpcRouter _router;
    private readonly RpcServerOptions _options;
    private readonly Socket _listener;
    private readonly ConnectionSlots _slots;
    private readonly ConcurrentDictionary<RpcConnection, Task> _connections = new();
    private readonly CancellationTokenSource _stopping = new();
    private Task _accepting = Task.CompletedTask;
    private Task _ticking = Task.CompletedTask;

    private RpcServer(RpcRouter router, RpcServerOptions options, Socket listener)
    {
        _router = router;
        _options = options;
        _listener = listener;
        _slots = new ConnectionSlots(options.MaxConnections);
        Endpoint = (IPEndPoint)listener.LocalEndPoint!;
    }

    /// <summary>Gets the address on which the server listens, with the actual port.</summary>
    public IPEndPoint Endpoint { get; }

    /// <summary>Starts a server.</summary>
    /// <param name="router">The methods. No further methods can be mapped.</param>
    /// <param name="options">The address and the limits.</param>
    /// <returns>The running server.</returns>
    /// <exception cref="SocketException">The address or port is not available.</exception>
    public static RpcServer Start(RpcRouter router, RpcServerOptions options)
    {
        ArgumentNullException.ThrowIfNull(router);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.WindowBytes, FlowWindow.InitialBytes);
        Socket listener = new(options.Endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            listener.Bind(options.Endpoint);
            listener.Listen(Backlog);
        }
        catch
        {
            listener.Dispose();
            throw;
        }

        RpcServer server = new(router, options, listener);
        server._accepting = server.AcceptAsync();
        server._ticking = server.TickAsync();
        return server;
    }

    /// <summary>
    /// Stops accepting connections, asks the clients to start no more calls, and waits until the current calls have ended. When
    /// <paramref name="cancellationToken"/> is cancelled, the remaining connections are aborted.
    /// </summary>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        _listener.Dispose();
        foreach (RpcConnection connection in _connections.Keys)
        {
            connection.CloseGently();
        }

        try
        {
            while (!_connections.IsEmpty)
            {
                await Task.WhenAll(_connections.Values).WaitAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            // The grace period has passed.
        }

        foreach (RpcConnection connection in _connections.Keys)
        {
            connection.Abort();
        }

        await Task.WhenAny(Task.WhenAll(_connections.Values), Task.Delay(AbortTimeout, CancellationToken.None)).ConfigureAwait(false);
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _accepting.ConfigureAwait(false);
        await _ticking.ConfigureAwait(false);
    }

    /// <summary>Stops the server immediately.</summary>
    public async ValueTask DisposeAsync()
    {
        await StopAsync(new CancellationToken(canceled: true)).ConfigureAwait(false);
        _stopping.Dispose();
    }

    private async Task AcceptAsync()
    {
        while (true)
        {
            Socket socket;
            try
            {
                socket = await _listener.AcceptAsync().ConfigureAwait(false);
            }
#pragma warning disable CA1031 // If one accept fails, the next may succeed: the peer had already disconnected, or descriptors were temporarily exhausted.
            catch (Exception)
#pragma warning restore CA1031
            {
                if (_listener.SafeHandle.IsClosed)
                {
                    return;
                }

                await Task.Delay(RetryAccept).ConfigureAwait(false);
                continue;
            }

            Admit(socket);
        }
    }

    private void Admit(Socket socket)
    {
        // The address is read now, because later a reactor takes over the descriptor, and a peer that has disconnected no longer has an address.
        IPAddress? remote = AddressOf(socket);
        // The slot is taken here. Only ServeAsync releases it.
        ConnectionSlot? slot = _slots.TryTake(remote, out bool isEvicting);
        if (slot is null || isEvicting)
        {
            _router.Observer?.OnConnectionRefused();
        }

        if (slot is null)
        {
            // The socket is closed without a reset. So the peer connects successfully, and its first read returns the end of the stream.
            socket.Dispose();
            return;
        }

        // The connection is handled outside the accept loop, because its first steps may take time.
        ThreadPool.UnsafeQueueUserWorkItem(
            static state => _ = state.Server.ServeAsync(state.Socket, state.Remote, state.Slot),
            (Server: this, Socket: socket, Remote: remote, Slot: slot),
            preferLocal: false);
    }

    private static IPAddress? AddressOf(Socket socket)
    {
        try
        {
            return (socket.RemoteEndPoint as IPEndPoint)?.Address;
        }
        catch (SocketException)
        {
            // The peer has already disconnected.
            return null;
        }
    }

    // Handles a connection from the first byte to the last. Does not throw. An error ends only this connection and is reported.
    private async Task ServeAsync(Socket socket, IPAddress? remote, ConnectionSlot slot)
    {
        bool isCounted = false;
        object? tag = null;
        try
        {
            using RpcConnection connection = await OpenAsync(socket, remote, slot).ConfigureAwait(false);
            TaskCompletionSource ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _connections[connection] = ended.Task;
            try
            {
                isCounted = true;
                _router.Observer?.OnConnectionOpened();
                if (_listener.SafeHandle.IsClosed)
                {
                    connection.CloseGently();
                }

                await connection.RunAsync().ConfigureAwait(false);
            }
            finally
            {
                tag = connection.Tag;
                _connections.TryRemove(connection, out _);
                ended.SetResult();
            }
        }
        catch (Exception error)
            when (error is AuthenticationException or IOException or SocketException or ObjectDisposedException or OperationCanceledException)
        {
            // The peer does not use TLS, rejects the certificate or has disconnected. This is not an error of the server.
            if (!isCounted && _options.Tls is not null && !slot.IsEvicted)
            {
                _router.Observer?.OnHandshakeFailed();
            }
        }
#pragma warning disable CA1031 // An error of one connection must not stop the server.
        catch (Exception error)
#pragma warning restore CA1031
        {
            Tell(error);
        }
        finally
        {
            socket.Dispose();
            _slots.Release(slot);
            if (isCounted)
            {
                _router.Observer?.OnConnectionClosed(tag);
            }
        }
    }

    private async Task<RpcConnection> OpenAsync(Socket socket, IPAddress? remote, ConnectionSlot slot)
    {
        socket.NoDelay = true;
        IByteTransport plain = _options.UsesReactors ? new ReactorSocket(socket) : new SocketTransport(socket);
        IByteTransport transport = plain;
        // If the slot is evicted, the connection is closed without a reset. A reset could cause an error in a peer that is still connecting, although the
        // connection is already established.
        Require(slot.TryAttach(plain.Dispose));
        if (_options.Tls is { } tls)
        {
            transport = await ShakeHandsAsync(transport, tls(), remote).ConfigureAwait(false);
        }

        RpcConnection connection = new(transport, _router, _options)
        {
            RemoteAddress = remote,
            RemoteCertificate = (transport as TlsTransport)?.PeerCertificate,
            OnAuthenticated = () => _slots.Authenticate(slot),
        };
        slot.IsBusy = () => connection.HasStreams;
        if (connection.RemoteCertificate is not null)
        {
            _slots.Authenticate(slot);
        }

        if (!slot.TryAttach(Drop))
        {
            connection.Dispose();
            Require(false);
        }

        return connection;

        void Drop()
        {
            plain.Dispose();
            connection.Abort();
        }
    }

    // Throws if a newer connection has taken the slot.
    private static void Require(bool holdsSlot)
    {
        if (!holdsSlot)
        {
            throw new OperationCanceledException();
        }
    }

    private void Tell(Exception error) => _options.OnConnectionFault?.Invoke(error);

    private async Task<IByteTransport> ShakeHandsAsync(IByteTransport plain, SslServerAuthenticationOptions tls, IPAddress? client)
    {
        tls.ApplicationProtocols = s_protocols;
        using CancellationTokenSource limit = new(_options.RequestHeadersTimeout);
        return await TlsTransport.AcceptAsync(plain, tls, limit.Token, client).ConfigureAwait(false);
    }

    private async Task TickAsync()
    {
        using PeriodicTimer timer = new(TickPeriod);
        try
        {
            while (await timer.WaitForNextTickAsync(_stopping.Token).ConfigureAwait(false))
            {
                foreach (RpcConnection connection in _connections.Keys)
                {
                    Tick(connection);
                }

                LargeBlocks.Trim();
                IdleMemory.OfProcess.GiveBack();
            }
        }
        catch (OperationCanceledException)
        {
            // The server has stopped.
        }
    }

    // An error of one connection must not stop the ticks of the other connections.
    private void Tick(RpcConnection connection)
    {
        try
        {
            connection.Tick();
        }
#pragma warning disable CA1031 // The error is reported, and the connection is aborted.
        catch (Exception error)
#pragma warning restore CA1031
        {
            Tell(error);
            connection.Abort();
        }
    }
}
