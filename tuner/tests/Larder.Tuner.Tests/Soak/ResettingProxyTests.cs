using System.Net;
using System.Net.Sockets;
using Larder.Tuner.Soak;

namespace Larder.Tuner.Tests.Soak;

public sealed class ResettingProxyTests
{
    [Fact]
    public async Task What_is_sent_comes_back_until_the_connection_is_reset()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        await using var proxy = new ResettingProxy(listener.LocalEndpoint.ToString()!);
        using var client = new TcpClient();
        await client.ConnectAsync(IPEndPoint.Parse(proxy.Endpoint));
        using TcpClient server = await listener.AcceptTcpClientAsync();

        await client.GetStream().WriteAsync("ping"u8.ToArray());
        byte[] received = new byte[4];
        await server.GetStream().ReadExactlyAsync(received);
        Assert.Equal("ping"u8.ToArray(), received);
        await server.GetStream().WriteAsync("pong"u8.ToArray());
        await client.GetStream().ReadExactlyAsync(received);
        Assert.Equal("pong"u8.ToArray(), received);

        Assert.True(proxy.ResetOne(new Random(1)));
        IOException ended = await Assert.ThrowsAsync<IOException>(async () => await client.GetStream().ReadExactlyAsync(received));
        Assert.Equal(SocketError.ConnectionReset, Assert.IsType<SocketException>(ended.InnerException).SocketErrorCode);
        Assert.Equal(1, proxy.Resets);
    }

    [Fact]
    public async Task Without_a_connection_there_is_nothing_to_reset()
    {
        await using var proxy = new ResettingProxy("127.0.0.1:1");
        Assert.False(proxy.ResetOne(new Random(1)));
    }
}
