using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client.Tests.Topics;

/// <summary>Tests many subscriptions at once: backpressure, connections, leaks and shared connection attempts.</summary>
public sealed class TopicLoadTests
{
    [Fact]
    public async Task Slow_reader_applies_backpressure_without_affecting_other_subscriptions()
    {
        await using TopicScript server = await TopicScript.StartAsync(
            async call =>
            {
                await call.BeginAsync("7-1");
                for (ulong number = 1; ; number++)
                {
                    await call.ItemAsync(number, text: new string('x', 1_000));
                }
            },
            static async call =>
            {
                await call.BeginAsync("7-1");
                for (ulong number = 1; number <= 2_000; number++)
                {
                    await call.ItemAsync(number, text: new string('y', 1_000));
                }

                await call.HoldAsync();
            });
        await using CacheClient client = server.Connect(TopicScript.QuickRetries);
        await using IAsyncEnumerator<TopicEvent> slow = client.Cache("cache").Subscribe("slow").GetAsyncEnumerator();
        Assert.Equal(1UL, Assert.IsType<TopicEvent.Item>(await ReadAsync(slow)).Number);
        await Eventually.Holds(() => server.Calls[0].Written > 256 * 1024, "the window is full");
        await using IAsyncEnumerator<TopicEvent> quick = client.Cache("cache").Subscribe("quick").GetAsyncEnumerator();
        for (ulong number = 1; number <= 2_000; number++)
        {
            Assert.Equal(number, Assert.IsType<TopicEvent.Item>(await ReadAsync(quick)).Number);
        }

        // The size of the flow-control window, plus the number of bytes that Kestrel buffers before it blocks.
        Assert.InRange(server.Calls[0].Written, 256 * 1024, 1024 * 1024);
        Assert.Equal(1, client.Topics.Connections);
        for (ulong number = 2; number <= 2_000; number++)
        {
            Assert.Equal(number, Assert.IsType<TopicEvent.Item>(await ReadAsync(slow)).Number);
        }
    }

    [Fact]
    public async Task Subscriptions_over_the_stream_limit_use_more_connections()
    {
        await using TopicScript server = await TopicScript.StartAsync(3, static async call =>
        {
            await call.BeginAsync("7-1");
            await call.HoldAsync();
        });
        await using CacheClient client = server.Connect(TopicScript.QuickRetries);
        IAsyncEnumerator<TopicEvent>[] all =
            [.. Enumerable.Range(0, 20).Select(_ => client.Cache("cache").Subscribe("t", new() { Heartbeats = true }).GetAsyncEnumerator())];
        Assert.All(await Task.WhenAll(all.Select(static each => each.NextAsync())), static told => Assert.Equal("heartbeat", told));
        Assert.InRange(client.Topics.Connections, 7, 20);
        foreach (IAsyncEnumerator<TopicEvent> each in all)
        {
            await each.DisposeAsync();
        }

        Assert.Equal((0, 0, 0), (client.Topics.Subscriptions, client.Topics.Connections, client.Topics.Reconnects));
    }

    [Fact]
    public async Task Thousand_closed_subscriptions_leak_nothing()
    {
        await using TopicScript server = await TopicScript.StartAsync(static async call =>
        {
            await call.BeginAsync("7-1");
            await call.HoldAsync();
        });
        ManualTime time = new();
        await using CacheClient client = new(
            TopicScript.QuickRetries with { KeepaliveInterval = null },
            CredentialProvider.Local(port: server.Port),
            TimeSpan.FromMinutes(1),
            NullLoggerFactory.Instance,
            time);
        int timers = time.Timers;
        for (int round = 0; round < 2; round++)
        {
            IAsyncEnumerator<TopicEvent>[] all =
                [.. Enumerable.Range(0, 1_000).Select(_ => client.Cache("cache").Subscribe("t", new() { Heartbeats = true }).GetAsyncEnumerator())];
            Assert.All(await Task.WhenAll(all.Select(static events => events.NextAsync())), static told => Assert.Equal("heartbeat", told));
            Assert.Equal((1_000, 10), (client.Topics.Subscriptions, client.Topics.Connections));
            Assert.Equal(1_000, server.Open);
            // Half of the subscriptions are waiting for an event.
            Task<string>[] waiting = [.. all.Take(500).Select(static events => events.NextAsync())];
            await Task.WhenAll(all.Select(static events => events.DisposeAsync().AsTask()));
            Assert.All(await Task.WhenAll(waiting), static told => Assert.Equal("end", told));
            Assert.Equal((0, 0), (client.Topics.Subscriptions, client.Topics.Connections));
            await Eventually.Holds(() => server.Open == 0, "the server's streams have ended");
        }

        // All subscriptions share one timer.
        await Eventually.Holds(() => time.Timers <= timers + 1, "their timers are gone");
        Assert.Equal((0, 0), (client.InFlight, client.Queued));
    }

    [Fact]
    public async Task RETRY_7_waiting_subscriptions_share_one_connection_attempt()
    {
        using System.Net.Sockets.TcpListener listener = new(System.Net.IPAddress.Loopback, 0);
        listener.Start();
        int tries = 0;
        Task accepting = Task.Run(async () =>
        {
            while (true)
            {
                using System.Net.Sockets.TcpClient tried = await listener.AcceptTcpClientAsync();
                Interlocked.Increment(ref tries);
            }
        });
        ManualTime time = new();
        int port = ((System.Net.IPEndPoint)listener.LocalEndpoint).Port;
        await using CacheClient client = new(
            TopicScript.QuickRetries with { KeepaliveInterval = null },
            CredentialProvider.Local(port: port),
            TimeSpan.FromMinutes(1),
            NullLoggerFactory.Instance,
            time);
        Task<string>[] waiting =
            [.. Enumerable.Range(0, 300).Select(async _ => await client.Cache("cache").Subscribe("t").GetAsyncEnumerator().NextAsync())];
        await Eventually.Holds(() => Volatile.Read(ref tries) > 0, "it was tried");
        // The clock does not advance, so all subscriptions stay in back-off.
        await Eventually.Holds(() => client.Topics.Subscriptions == 300, "all wait");
        Assert.InRange(Volatile.Read(ref tries), 1, 2);
        await client.DisposeAsync();
        Assert.All(await Task.WhenAll(waiting), static told => Assert.Equal("end", told));
        listener.Stop();
        await Assert.ThrowsAnyAsync<Exception>(() => accepting);
    }

    private static async Task<TopicEvent> ReadAsync(IAsyncEnumerator<TopicEvent> events)
    {
        Assert.True(await Eventually.Within(events.MoveNextAsync()));
        return events.Current;
    }
}
