using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Larder.Lab.Tests.Near;

/// <summary>
/// A proxy between a client and its server that hides invalidations. It changes the field numbers of <c>invalidated</c> and <c>clear</c> in each
/// <c>BatchResult</c> to an unknown number, so that lengths do not change.
/// </summary>
internal sealed class InvalidationFilterProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly ConcurrentBag<TcpClient> _connections = [];
    private readonly string _target;
    private readonly Task _accepting;
    private long _swallowed;

    /// <summary>Starts a proxy to <c>host:port</c>.</summary>
    public InvalidationFilterProxy(string target)
    {
        _target = target;
        _listener.Start();
        Endpoint = _listener.LocalEndpoint.ToString()!;
        _accepting = AcceptAsync();
    }

    /// <summary>Gets the address of the proxy.</summary>
    public string Endpoint { get; }

    /// <summary>Gets the number of fields that were renumbered.</summary>
    public long Swallowed => Interlocked.Read(ref _swallowed);

    public async ValueTask DisposeAsync()
    {
        _listener.Stop();
        await _accepting;
        foreach (TcpClient connection in _connections)
        {
            connection.Dispose();
        }

        _listener.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                TcpClient client = await _listener.AcceptTcpClientAsync();
                IPEndPoint target = IPEndPoint.Parse(_target);
                TcpClient server = new();
                _connections.Add(client);
                _connections.Add(server);
                await server.ConnectAsync(target);
                client.NoDelay = server.NoDelay = true;
                InvalidationFilter frames = new(() => Interlocked.Increment(ref _swallowed));
                _ = CarryAsync(client, server, static _ => { });
                _ = CarryAsync(server, client, frames.Deafen);
            }
        }
        catch (Exception closed) when (closed is SocketException or ObjectDisposedException)
        {
            // The proxy is closing.
        }
    }

    private static async Task CarryAsync(TcpClient from, TcpClient to, Action<Memory<byte>> look)
    {
        byte[] buffer = new byte[1 << 16];
        try
        {
            for (int read = await from.Client.ReceiveAsync(buffer); read > 0; read = await from.Client.ReceiveAsync(buffer))
            {
                look(buffer.AsMemory(0, read));
                await to.GetStream().WriteAsync(buffer.AsMemory(0, read));
            }
        }
        catch (Exception gone) when (gone is SocketException or IOException or ObjectDisposedException)
        {
            // One side has closed its connection, so the proxy closes the other one.
        }

        from.Dispose();
        to.Dispose();
    }
}
