using System.Diagnostics;
using System.Net.Sockets;
using Larder.Harness.Proxies;

namespace Larder.Harness.Tests.Proxies;

public sealed class NetworkDelayTests
{
    [Fact]
    public void Chunks_arrive_in_order_after_half_the_round_trip_delay()
    {
        var times = new ArrivalTimes(new NetworkDelay(TimeSpan.FromMilliseconds(30), TimeSpan.FromMilliseconds(10)), seed: 7);
        long last = 0;
        for (long now = 0; now < Stopwatch.Frequency; now += Stopwatch.Frequency / 1000)
        {
            long due = times.Next(now);
            Assert.True(due >= last, "an earlier chunk was overtaken");
            // The delay of a chunk is 15 to 20 ms, even if it must wait for the previous chunk.
            Assert.InRange(due - now, Ms(15), Ms(20));
            last = due;
        }
    }

    [Fact]
    public void Arrival_without_jitter_takes_half_the_round_trip_delay() =>
        Assert.Equal(Ms(15) + 100, new ArrivalTimes(new NetworkDelay(TimeSpan.FromMilliseconds(30)), 1).Next(100));

    [Fact]
    public async Task Round_trip_takes_at_least_the_configured_delay()
    {
        await using ProxyPair pair = new(new NetworkDelay(TimeSpan.FromMilliseconds(40)));
        (Socket client, Socket server) = await pair.ConnectAsync();
        long begun = Stopwatch.GetTimestamp();
        await ProxyPair.PassAsync(client, server);
        Assert.InRange(Stopwatch.GetElapsedTime(begun), TimeSpan.FromMilliseconds(20), TimeSpan.FromMinutes(1));
        await ProxyPair.PassAsync(server, client);
        Assert.InRange(Stopwatch.GetElapsedTime(begun), TimeSpan.FromMilliseconds(40), TimeSpan.FromMinutes(1));
    }

    [Fact]
    public async Task Delayed_data_and_close_arrive_in_order()
    {
        await using ProxyPair pair = new(new NetworkDelay(TimeSpan.FromMilliseconds(2), TimeSpan.FromMilliseconds(1)));
        (Socket client, Socket server) = await pair.ConnectAsync();
        byte[] sent = new byte[1_000_000];
        new Random(3).NextBytes(sent);
        Task echo = EchoAsync(server);
        await using NetworkStream stream = new(client);
        Task sending = SendAsync();
        using var received = new MemoryStream();
        await stream.CopyToAsync(received);
        await Task.WhenAll(sending, echo);
        Assert.Equal(sent, received.ToArray());

        async Task SendAsync()
        {
            await stream.WriteAsync(sent);
            client.Shutdown(SocketShutdown.Send);
        }
    }

    private static long Ms(int ms) => ms * Stopwatch.Frequency / 1000;

    private static async Task EchoAsync(Socket server)
    {
        await using NetworkStream stream = new(server);
        await stream.CopyToAsync(stream);
        server.Shutdown(SocketShutdown.Send);
    }
}
