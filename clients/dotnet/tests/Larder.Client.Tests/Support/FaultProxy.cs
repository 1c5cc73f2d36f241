using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Larder.Client.Tests.Support;

/// <summary>A TCP proxy on a free port that can lose what passes, reset connections, or stall one of them.</summary>
internal sealed class FaultProxy : IAsyncDisposable
{
    private readonly TcpListener _listener;
    private readonly ConcurrentDictionary<int, Link> _links = new();
    private readonly CancellationTokenSource _closing = new();
    private readonly int _target;
    private readonly Task _accepting;
    private int _accepted;

    /// <param name="target">The server's port.</param>
    /// <param name="address">Where it listens; null: 127.0.0.1.</param>
    /// <param name="port">The port there; 0: a free one.</param>
    public FaultProxy(int target, IPAddress? address = null, int port = 0)
    {
        _target = target;
        _listener = new TcpListener(address ?? IPAddress.Loopback, port);
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>Connections accepted so far.</summary>
    public int Accepted => Volatile.Read(ref _accepted);

    /// <summary>Loses everything on the connections that are open now, in both directions, without closing them: a half-open network.</summary>
    public void LoseAll() => Each(static link => link.Loses = true);

    /// <summary>Holds everything on the connections numbered from <paramref name="from"/> on, those to come included.</summary>
    public void HoldFrom(int from) => HoldsFrom = from;

    /// <summary>Lets held bytes go.</summary>
    public void Release()
    {
        HoldsFrom = int.MaxValue;
        Each(static link => link.Released.TrySetResult());
    }

    /// <summary>Resets every open connection.</summary>
    public void ResetAll() => Each(static link => link.Reset());

    private int HoldsFrom { get; set; } = int.MaxValue;

    public async ValueTask DisposeAsync()
    {
        await _closing.CancelAsync();
        _listener.Stop();
        ResetAll();
        await _accepting;
        _closing.Dispose();
    }

    private void Each(Action<Link> act)
    {
        foreach (Link link in _links.Values)
        {
            act(link);
        }
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                Socket client = await _listener.AcceptSocketAsync(_closing.Token);
                int number = Interlocked.Increment(ref _accepted);
                _ = ServeAsync(number, client);
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The proxy is closing.
        }
    }

    private async Task ServeAsync(int number, Socket client)
    {
        Socket server = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        client.NoDelay = true;
        Link link = new(client, server);
        _links[number] = link;
        try
        {
            await server.ConnectAsync(IPAddress.Loopback, _target);
            await Task.WhenAny(PumpAsync(number, link, client, server), PumpAsync(number, link, server, client));
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // Either side has gone, or the server takes no connections: so has the other.
        }
        finally
        {
            link.Reset();
            _links.TryRemove(number, out _);
        }
    }

    private async Task PumpAsync(int number, Link link, Socket from, Socket to)
    {
        byte[] buffer = new byte[64 * 1024];
        try
        {
            int read;
            while ((read = await from.ReceiveAsync(buffer)) > 0)
            {
                if (number >= HoldsFrom)
                {
                    await link.Released.Task;
                }

                if (!link.Loses)
                {
                    await to.SendAsync(buffer.AsMemory(0, read));
                }
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // The link is over.
        }
    }

    private sealed class Link(Socket client, Socket server)
    {
        public volatile bool Loses;

        public TaskCompletionSource Released { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void Reset()
        {
            Released.TrySetResult();
            foreach (Socket socket in (Socket[])[client, server])
            {
                // A close without linger sends RST instead of FIN.
                socket.Close(0);
            }
        }
    }
}
