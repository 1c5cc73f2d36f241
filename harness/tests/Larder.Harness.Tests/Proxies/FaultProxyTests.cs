using System.Net;
using System.Net.Sockets;
using Larder.Harness.Proxies;

namespace Larder.Harness.Tests.Proxies;

public sealed class FaultProxyTests
{
    [Fact]
    public async Task ResetOne_resets_both_sides_of_one_connection()
    {
        await using ProxyPair pair = new();
        (Socket client, Socket server) = await pair.ConnectAsync();
        await ProxyPair.PassAsync(client, server);
        await ProxyPair.PassAsync(server, client);
        Assert.Equal((1, 1, 0), (pair.Proxy.Accepted, pair.Proxy.Connections, pair.Proxy.Resets));
        Assert.True(pair.Proxy.ResetOne(new Random(1)));
        await ProxyPair.AssertResetAsync(client);
        await ProxyPair.AssertResetAsync(server);
        Assert.Equal(1, pair.Proxy.Resets);
    }

    [Fact]
    public async Task ResetOne_without_connections_returns_false()
    {
        await using FaultProxy proxy = new("127.0.0.1:1");
        Assert.False(proxy.ResetOne(new Random(1)));
        proxy.ResetAll();
        Assert.Equal(0, proxy.Resets);
    }

    [Fact]
    public async Task ResetAll_resets_open_connections_and_leaves_later_ones_intact()
    {
        await using ProxyPair pair = new();
        (Socket Client, Socket Server)[] links = [await pair.ConnectAsync(), await pair.ConnectAsync()];
        foreach ((Socket client, Socket server) in links)
        {
            await ProxyPair.PassAsync(client, server);
        }

        pair.Proxy.ResetAll();
        foreach ((Socket client, Socket server) in links)
        {
            await ProxyPair.AssertResetAsync(client);
            await ProxyPair.AssertResetAsync(server);
        }

        (Socket late, Socket other) = await pair.ConnectAsync();
        await ProxyPair.PassAsync(late, other);
    }

    [Fact]
    public async Task Half_closed_connection_still_forwards_the_other_direction()
    {
        await using ProxyPair pair = new();
        (Socket client, Socket server) = await pair.ConnectAsync();
        client.Shutdown(SocketShutdown.Send);
        Assert.Equal(0, await server.ReceiveAsync(new byte[1]));
        await ProxyPair.PassAsync(server, client);
    }

    [Fact]
    public async Task Held_connection_delivers_data_after_release_while_earlier_connections_continue()
    {
        await using ProxyPair pair = new();
        (Socket first, Socket itsServer) = await pair.ConnectAsync();
        await ProxyPair.PassAsync(first, itsServer);
        pair.Proxy.HoldFrom(2);
        (Socket second, Socket held) = await pair.ConnectAsync();
        await second.SendAsync("held"u8.ToArray());
        await ProxyPair.PassAsync(first, itsServer);
        Assert.False(await ProxyPair.HearsAsync(held));
        pair.Proxy.Release();
        byte[] received = new byte[4];
        Assert.Equal(4, await held.ReceiveAsync(received));
        Assert.Equal("held"u8.ToArray(), received);
        await ProxyPair.PassAsync(held, second);
    }

    [Fact]
    public async Task ResetAll_resets_held_connection()
    {
        await using ProxyPair pair = new();
        (Socket client, Socket server) = await pair.ConnectAsync();
        pair.Proxy.HoldFrom(1);
        await client.SendAsync("held"u8.ToArray());
        Assert.False(await ProxyPair.HearsAsync(server));
        pair.Proxy.ResetAll();
        await ProxyPair.AssertResetAsync(server);
    }

    [Fact]
    public async Task LoseAll_drops_traffic_of_existing_but_not_of_new_connections()
    {
        await using ProxyPair pair = new();
        (Socket client, Socket server) = await pair.ConnectAsync();
        await ProxyPair.PassAsync(client, server);
        pair.Proxy.LoseAll();
        await client.SendAsync("lost"u8.ToArray());
        await server.SendAsync("lost"u8.ToArray());
        client.Shutdown(SocketShutdown.Send);
        Assert.False(await ProxyPair.HearsAsync(server));
        Assert.False(await ProxyPair.HearsAsync(client));
        (Socket late, Socket other) = await pair.ConnectAsync();
        await ProxyPair.PassAsync(late, other);
    }

    [Fact]
    public async Task Cut_proxy_drops_data_of_all_connections_until_restored()
    {
        await using ProxyPair pair = new();
        (Socket client, Socket server) = await pair.ConnectAsync();
        pair.Proxy.IsCut = true;
        (Socket late, Socket other) = await pair.ConnectAsync();
        await client.SendAsync("lost"u8.ToArray());
        await late.SendAsync("lost"u8.ToArray());
        Assert.False(await ProxyPair.HearsAsync(server));
        Assert.False(await ProxyPair.HearsAsync(other));
        pair.Proxy.IsCut = false;
        await ProxyPair.PassAsync(client, server);
        await ProxyPair.PassAsync(other, late);
    }

    [Fact]
    public async Task Refusing_proxy_resets_new_connections_and_keeps_open_ones()
    {
        await using ProxyPair pair = new();
        (Socket client, Socket server) = await pair.ConnectAsync();
        pair.Proxy.IsRefusing = true;
        await AssertRefusedAsync(pair.Proxy);
        await ProxyPair.PassAsync(client, server);
    }

    [Fact]
    public async Task Connection_to_unreachable_server_is_reset()
    {
        await using FaultProxy proxy = new("127.0.0.1:1");
        await AssertRefusedAsync(proxy);
    }

    [Fact]
    public async Task Proxy_listens_on_requested_address_and_port()
    {
        await using FaultProxy first = new(1, IPAddress.Parse("127.0.0.2"));
        Assert.Equal($"127.0.0.2:{first.Port}", first.Endpoint);
        await using FaultProxy second = new(1, port: first.Port);
        Assert.Equal($"127.0.0.1:{first.Port}", second.Endpoint);
    }

    [Theory]
    [InlineData(null)]
    [InlineData(50)]
    public async Task Dispose_completes_while_connections_have_full_buffers(int? delayMs)
    {
        ProxyPair pair = new(delayMs is { } ms ? new NetworkDelay(TimeSpan.FromMilliseconds(ms)) : null);
        (Socket client, Socket server) = await pair.ConnectAsync();
        client.SendTimeout = 200;
        byte[] much = new byte[1 << 20];
        // The other side does not read. So sending continues until the buffers are full or the proxy is disposed.
        Task sending = Task.Run(() => Record.Exception(() => SendForever(client, much)));
        await Task.WhenAny(sending, Task.Delay(300));
        await pair.DisposeAsync();
        await sending;
        server.Dispose();
    }

    private static void SendForever(Socket socket, byte[] bytes)
    {
        while (true)
        {
            socket.Send(bytes);
        }
    }

    private static async Task AssertRefusedAsync(FaultProxy proxy)
    {
        using Socket client = new(SocketType.Stream, ProtocolType.Tcp);
        // The reset may arrive before the connect has completed.
        SocketException reset = await Assert.ThrowsAsync<SocketException>(async () =>
        {
            await client.ConnectAsync(IPEndPoint.Parse(proxy.Endpoint));
            await client.ReceiveAsync(new byte[1]);
        });
        Assert.Equal(SocketError.ConnectionReset, reset.SocketErrorCode);
    }
}
