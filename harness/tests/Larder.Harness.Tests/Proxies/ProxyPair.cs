using System.Net;
using System.Net.Sockets;
using Larder.Harness.Proxies;

namespace Larder.Harness.Tests.Proxies;

/// <summary>A listener and a proxy in front of it.</summary>
internal sealed class ProxyPair : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);

    public ProxyPair(NetworkDelay? delay = null)
    {
        _listener.Start();
        Proxy = new FaultProxy(_listener.LocalEndpoint.ToString()!, delay);
    }

    public FaultProxy Proxy { get; }

    /// <summary>Opens a connection through the proxy. Returns both ends of the connection.</summary>
    public async Task<(Socket Client, Socket Server)> ConnectAsync()
    {
        Socket client = new(SocketType.Stream, ProtocolType.Tcp);
        await client.ConnectAsync(IPEndPoint.Parse(Proxy.Endpoint));
        return (client, await _listener.AcceptSocketAsync());
    }

    public async ValueTask DisposeAsync()
    {
        await Proxy.DisposeAsync();
        _listener.Dispose();
    }

    /// <summary>Sends a byte from one side and receives it on the other side.</summary>
    public static async Task PassAsync(Socket from, Socket to)
    {
        byte[] received = new byte[1];
        await from.SendAsync("x"u8.ToArray());
        Assert.Equal(1, await to.ReceiveAsync(received));
        Assert.Equal("x"u8.ToArray(), received);
    }

    /// <summary>Returns whether data becomes available within a short time.</summary>
    public static async Task<bool> HearsAsync(Socket socket)
    {
        for (int look = 0; look < 20; look++)
        {
            if (socket.Poll(0, SelectMode.SelectRead))
            {
                return true;
            }

            await Task.Delay(5);
        }

        return false;
    }

    /// <summary>Asserts that the connection is reset.</summary>
    public static async Task AssertResetAsync(Socket socket)
    {
        SocketException reset = await Assert.ThrowsAsync<SocketException>(async () => await socket.ReceiveAsync(new byte[1]));
        Assert.Equal(SocketError.ConnectionReset, reset.SocketErrorCode);
    }
}
