using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Larder.Wire.Http2;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>A listening gRPC server: accepts connections, looks after them, and closes them in good order.</summary>
public sealed class RpcServer : IAsyncDisposable
{
    // Connections that the kernel holds until they are accepted.
    private const int Backlog = 512;
    private static readonly TimeSpan TickPeriod = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan RetryAccept = TimeSpan.FromMilliseconds(10);

    // An aborted connection ends as soon as its thread comes to it. One that is kept for longer is left behind.
    private static readonly TimeSpan AbortPatience = TimeSpan.FromMilliseconds(500);

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

    /// <summary>Where it listens, with the port that was taken.</summary>
    public IPEndPoint Endpoint { get; }

    /// <summary>Begins to listen.</summary>
    /// <param name="router">The calls; no more are mapped from now on.</param>
    /// <param name="options">Where, and the limits.</param>
    /// <returns>The running server.</returns>
    /// <exception cref="SocketException">The address or port cannot be listened on.</exception>
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
    /// Takes no more connections, tells those there are to open no more calls, and waits until their calls have ended or
    /// <paramref name="cancellationToken"/> says that the time is over; then they are cut off.
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
            // The grace is over.
        }

        foreach (RpcConnection connection in _connections.Keys)
        {
            connection.Abort();
        }

        await Task.WhenAny(Task.WhenAll(_connections.Values), Task.Delay(AbortPatience, CancellationToken.None)).ConfigureAwait(false);
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _accepting.ConfigureAwait(false);
        await _ticking.ConfigureAwait(false);
    }

    /// <summary>Stops at once.</summary>
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
#pragma warning disable CA1031 // Whatever one accept ends by, the next one may do better: the peer was gone already, or descriptors are short for a moment.
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
        // Read now: a reactor takes the descriptor over, and a peer that has closed has no address any more.
        IPAddress? remote = AddressOf(socket);
        // Taken here, and released by ServeAsync alone.
        ConnectionSlot? slot = _slots.TryTake(remote, out bool isEvicting);
        if (slot is null || isEvicting)
        {
            _router.Observer?.OnConnectionRefused();
        }

        if (slot is null)
        {
            // An end, not a reset: the peer's connect has succeeded, and its first read says the rest.
            socket.Dispose();
            return;
        }

        // Off the accepting loop: what a connection does first is its own.
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
            // The peer has closed already.
            return null;
        }
    }

    // From the first byte to the last. Does not throw: a fault of one connection is told, and ends that one alone.
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
            // A peer that speaks no TLS, refuses ours, or is gone is its own to complain.
            if (!isCounted && _options.Tls is not null && !slot.IsEvicted)
            {
                _router.Observer?.OnHandshakeFailed();
            }
        }
#pragma warning disable CA1031 // See above.
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
        // An end, not a reset, which may fail the connect of a peer that is slow to see that it has succeeded.
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

    // A newer connection has taken the slot.
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

    // A fault of one connection must not stop the clock of the others.
    private void Tick(RpcConnection connection)
    {
        try
        {
            connection.Tick();
        }
#pragma warning disable CA1031 // Told, and the connection ended.
        catch (Exception error)
#pragma warning restore CA1031
        {
            Tell(error);
            connection.Abort();
        }
    }
}
