using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Larder.Tuner.Soak;

/// <summary>
/// A TCP proxy that breaks what it carries: on request it resets a connection (RST, in the middle of whatever is under way). At most
/// 1,000 connections at a time, 64 KB of buffer in each direction; a side that does not read holds the other back.
/// </summary>
internal sealed class ResettingProxy : IAsyncDisposable
{
    private const int MaxConnections = 1000;
    private const int BufferBytes = 64 * 1024;

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly ConcurrentDictionary<Socket, Socket> _pairs = new();
    private readonly SemaphoreSlim _room = new(MaxConnections);
    private readonly IPEndPoint _target;
    private readonly Task _accepting;

    /// <summary>A proxy to <c>host:port</c>, listening on a free port of the loopback interface.</summary>
    public ResettingProxy(string target)
    {
        _target = IPEndPoint.Parse(target);
        _listener.Start();
        Endpoint = _listener.LocalEndpoint.ToString()!;
        _accepting = AcceptAsync();
    }

    /// <summary>Where it listens.</summary>
    public string Endpoint { get; }

    /// <summary>Connections carried now.</summary>
    public int Connections => _pairs.Count;

    /// <summary>Whether nothing that either side sends arrives, and nothing is closed: a network that is cut.</summary>
    public bool IsCut { get; set; }

    /// <summary>Connections reset so far.</summary>
    public int Resets { get; private set; }

    /// <summary>Resets one connection, on both sides; false when there is none.</summary>
    public bool ResetOne(Random random)
    {
        KeyValuePair<Socket, Socket>[] pairs = _pairs.ToArray();
        if (pairs.Length == 0)
        {
            return false;
        }

        (Socket? client, Socket? server) = pairs[random.Next(pairs.Length)];
        Reset(client);
        Reset(server);
        Resets++;
        return true;
    }

    /// <summary>Resets all of them.</summary>
    public void ResetAll()
    {
        foreach ((Socket? client, Socket? server) in _pairs)
        {
            Reset(client);
            Reset(server);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        _listener.Stop();
        await _accepting.ConfigureAwait(false);
        foreach ((Socket? client, Socket? server) in _pairs)
        {
            client.Dispose();
            server.Dispose();
        }

        _stop.Dispose();
        _listener.Dispose();
    }

    /// <summary>Closing with a linger of 0 sends RST and throws away what is not yet sent.</summary>
    private static void Reset(Socket socket)
    {
        try
        {
            socket.LingerState = new LingerOption(true, 0);
        }
        catch (Exception closed) when (closed is SocketException or ObjectDisposedException)
        {
            return;
        }

        socket.Dispose();
    }

    private async Task AcceptAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await _room.WaitAsync(_stop.Token).ConfigureAwait(false);
                Socket client = await _listener.AcceptSocketAsync(_stop.Token).ConfigureAwait(false);
                _ = CarryAsync(client);
            }
            catch (Exception stopped) when (stopped is OperationCanceledException or SocketException or ObjectDisposedException)
            {
                _room.Release();
            }
        }
    }

    private async Task CarryAsync(Socket client)
    {
        using var server = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            client.NoDelay = true;
            await server.ConnectAsync(_target).ConfigureAwait(false);
            _pairs[client] = server;
            await Task.WhenAll(CopyAsync(client, server), CopyAsync(server, client)).ConfigureAwait(false);
        }
        catch (SocketException)
        {
            Reset(client);
        }
        finally
        {
            _pairs.TryRemove(client, out _);
            client.Dispose();
            _room.Release();
        }
    }

    private async Task CopyAsync(Socket from, Socket to)
    {
        byte[] buffer = new byte[BufferBytes];
        try
        {
            int read;
            while ((read = await from.ReceiveAsync(buffer).ConfigureAwait(false)) > 0)
            {
                for (int sent = IsCut ? read : 0; sent < read;)
                {
                    sent += await to.SendAsync(buffer.AsMemory(sent, read - sent)).ConfigureAwait(false);
                }
            }

            to.Shutdown(SocketShutdown.Send);
        }
        catch (Exception broken) when (broken is SocketException or ObjectDisposedException)
        {
            // The other direction ends as well: half a connection is of no use to HTTP/2.
            from.Dispose();
            to.Dispose();
        }
    }
}
