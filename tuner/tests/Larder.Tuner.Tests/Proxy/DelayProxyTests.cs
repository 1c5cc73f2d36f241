using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Larder.Tuner.Proxy;

namespace Larder.Tuner.Tests.Proxy;

public sealed class DelayProxyTests
{
    [Fact]
    public void Nothing_arrives_before_half_the_delay_nor_out_of_order()
    {
        var delay = new DelaySetting(TimeSpan.FromMilliseconds(30), TimeSpan.FromMilliseconds(10));
        var times = new ArrivalTimes(delay, seed: 7);
        long last = 0;
        for (long now = 0; now < Stopwatch.Frequency; now += Stopwatch.Frequency / 1000)
        {
            long due = times.Next(now);
            Assert.True(due >= last, "an earlier chunk was overtaken");
            // 15 to 20 ms, or as late as one before it.
            Assert.InRange(due - now, Ms(15), Ms(20));
            last = due;
        }
    }

    [Fact]
    public void Without_jitter_the_delay_is_always_half_on_each_way() =>
        Assert.Equal(Ms(15) + 100, new ArrivalTimes(new DelaySetting(TimeSpan.FromMilliseconds(30), TimeSpan.Zero), 1).Next(100));

    [Fact]
    public async Task What_goes_in_comes_out_in_order_and_so_does_the_end()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        await using var proxy = new DelayProxy(
            listener.LocalEndpoint.ToString()!,
            new DelaySetting(TimeSpan.FromMilliseconds(2), TimeSpan.FromMilliseconds(1)));
        Task echo = EchoAsync(listener);
        using var client = new TcpClient();
        await client.ConnectAsync(IPEndPoint.Parse(proxy.Endpoint));
        byte[] sent = new byte[1_000_000];
        new Random(3).NextBytes(sent);
        NetworkStream stream = client.GetStream();
        Task sending = SendAsync();
        using var received = new MemoryStream();
        await stream.CopyToAsync(received);
        await sending;
        await echo;
        Assert.Equal(sent, received.ToArray());

        async Task SendAsync()
        {
            await stream.WriteAsync(sent);
            client.Client.Shutdown(SocketShutdown.Send);
        }
    }

    [Fact]
    public async Task A_proxy_ends_while_connections_are_open()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var proxy = new DelayProxy(listener.LocalEndpoint.ToString()!, DelaySetting.Parse("1ms"));
        using var client = new TcpClient();
        await client.ConnectAsync(IPEndPoint.Parse(proxy.Endpoint));
        using TcpClient server = await listener.AcceptTcpClientAsync();
        await proxy.DisposeAsync();
        Exception? end = await Record.ExceptionAsync(async () => Assert.Equal(0, await client.GetStream().ReadAsync(new byte[1])));
        Assert.True(end is null or IOException, "the connection ends or is reset");
    }

    private static long Ms(int ms) => ms * Stopwatch.Frequency / 1000;

    private static async Task EchoAsync(TcpListener listener)
    {
        using TcpClient server = await listener.AcceptTcpClientAsync();
        await server.GetStream().CopyToAsync(server.GetStream());
        server.Client.Shutdown(SocketShutdown.Send);
    }
}
