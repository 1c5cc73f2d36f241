using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Larder.Harness.Processes;
using Larder.Harness.Proxies;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Tests;

/// <summary>Tests the client's log events and their fields.</summary>
public sealed class LogTests
{
    [Fact]
    public async Task Retry_and_failure_are_logged_at_debug_without_the_key()
    {
        LogLines log = new();
        ManualTime time = new();
        FakeTransport transport = new();
        await using CacheClient client = new(
            Configurations.Laptop.V1(), CredentialProvider.Local(), TimeSpan.FromMinutes(1), new GuardedLogger(log), time, _ => transport);
        ValueTask<CacheResult> set = client.Cache("orders").SetAsync("secret key", "secret value");
        transport.Fail(StatusCode.Unavailable, notProcessed: true);
        await Eventually.Holds(() => Step() && transport.Count == 1, "the call is sent again");
        transport.Fail(StatusCode.NotFound);
        Expect.Error(await set);
        LogLine[] told = [.. log.Recorded];
        Assert.Equal([("Retrying", LogLevel.Debug), ("CallFailed", LogLevel.Debug)], told.Select(static line => (line.Event, line.Level)));
        Assert.Equal("set orders Unavailable 1", told[0].Fields("Operation", "Cache", "Code", "Attempts"));
        Assert.Equal("set orders NotFound 2", told[1].Fields("Operation", "Cache", "Code", "Attempts"));
        Assert.DoesNotContain(told, static line => line.Text.Contains("secret", StringComparison.Ordinal));

        bool Step()
        {
            time.Advance(TimeSpan.FromMilliseconds(10));
            return true;
        }
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Failed_and_restored_connections_are_logged_with_their_endpoint(Transport transport)
    {
        int port = FreePorts.Next();
        LogLines log = new();
        await using CacheClient client = new(
            Configurations.Laptop.V1() with
            {
                Transport = transport,
                InitialBackOff = TimeSpan.FromMilliseconds(1),
                MaxBackOff = TimeSpan.FromMilliseconds(20),
            },
            CredentialProvider.FromEndpoint("127.0.0.1", port, token: "secret"),
            TimeSpan.FromMinutes(1),
            new LoggerFactory([new LinesProvider(log)]));
        Expect.Error(await Eventually.Within(client.Cache("cache").WithTimeout(TimeSpan.FromMilliseconds(200)).GetAsync("k")));
        // Channels connect concurrently, so their failures may be logged in any order.
        await Eventually.Holds(() => log.Recorded.Any(IsFirstFailure), "a line");
        LogLine failed = log.Recorded.First(IsFirstFailure);
        Assert.Equal((LogLevel.Warning, $"127.0.0.1:{port} Unavailable 1"), (failed.Level, failed.Fields("Endpoint", "Code", "Attempts")));

        await using RunningServer server = await RunningServer.StartAsync(port);
        await Eventually.Holds(() => client.Cache("cache").GetAsync("k").AsTask().GetAwaiter().GetResult() is { IsMiss: true }, "an answer");
        await Eventually.Holds(() => log.Recorded.Any(static line => line.Event == "Reconnected"), "a line");
        LogLine back = log.Recorded.First(static line => line.Event == "Reconnected");
        Assert.Equal((LogLevel.Information, $"127.0.0.1:{port}"), (back.Level, back.Fields("Endpoint")));
        Assert.DoesNotContain(log.Recorded, static line => line.Text.Contains("secret", StringComparison.Ordinal));

        static bool IsFirstFailure(LogLine line) => line.Event == "ConnectFailed" && line.Fields("Attempts") == "1";
    }

    [Fact]
    public async Task Server_without_pipeline_is_logged_with_its_endpoint()
    {
        LogLines log = new();
        await using UnaryOnlyServer server = UnaryOnlyServer.Start();
        await using CacheClient client = new(
            Configurations.Laptop.V1(), CredentialProvider.Local(port: server.Port), TimeSpan.FromMinutes(1), new LoggerFactory([new LinesProvider(log)]));
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
        LogLine told = Assert.Single(log.Recorded, static line => line.Event == "FallingBackToUnary");
        Assert.Equal((LogLevel.Warning, $"127.0.0.1:{server.Port}"), (told.Level, told.Fields("Endpoint")));
    }

    [Fact]
    public async Task Lost_connection_is_logged_with_its_endpoint()
    {
        LogLines log = new();
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        await using CacheClient client = new(
            Configurations.Laptop.V1() with { Transport = Transport.Unary, Channels = 1 },
            CredentialProvider.Local(port: proxy.Port),
            TimeSpan.FromMinutes(1),
            new LoggerFactory([new LinesProvider(log)]));
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
        // If a connection breaks while it has no calls, the client recreates it without a log line. So the test repeats the break until a call is affected.
        await Eventually.Holds(IsToldOfABreak, "a line");
        LogLine lost = log.Recorded.First(static line => line.Event == "ConnectionLost");
        Assert.Equal((LogLevel.Information, $"127.0.0.1:{proxy.Port}"), (lost.Level, lost.Fields("Endpoint")));

        bool IsToldOfABreak()
        {
            _ = client.Cache("cache").GetAsync("k").AsTask();
            proxy.ResetAll();
            return log.Recorded.Any(static line => line.Event == "ConnectionLost");
        }
    }

    [Fact]
    public async Task Uncached_and_stale_values_are_logged_with_their_cache()
    {
        LogLines log = new();
        ManualTime serverTime = new();
        await using RunningServer server = await RunningServer.StartAsync(time: serverTime);
        await using CacheClient client = new(
            Configurations.Laptop.V1(), CredentialProvider.Local(port: server.Port), TimeSpan.FromMinutes(1), new LoggerFactory([new LinesProvider(log)]));
        await client.Cache("unknown").GetOrCreateAsync("secret key", static _ => ValueTask.FromResult("v"u8.ToArray()));
        GetOrCreateOptions options = new() { Ttl = TimeSpan.FromMilliseconds(1), FailSafeFor = TimeSpan.FromHours(1) };
        await client.Cache("cache").GetOrCreateAsync("secret key", static _ => ValueTask.FromResult("v"u8.ToArray()), options);
        serverTime.AdvanceMs(2);
        GetOrCreateResult<CacheValue> answer =
            await client.Cache("cache").GetOrCreateAsync("secret key", static _ => throw new InvalidOperationException("no"), options);
        Expect.Stale(answer);
        LogLine[] told = [.. log.Recorded.Where(static line => line.Level == LogLevel.Warning)];
        Assert.Equal(["NotCached", "ServedStale"], told.Select(static line => line.Event));
        Assert.Equal("unknown NotFound", told[0].Fields("Cache", "Code"));
        Assert.Equal("cache", told[1].Fields("Cache"));
        Assert.DoesNotContain(log.Recorded, static line => line.Text.Contains("secret", StringComparison.Ordinal));
    }

    private sealed class LinesProvider(LogLines log) : ILoggerProvider
    {
        public ILogger CreateLogger(string categoryName) => log;

        public void Dispose()
        {
        }
    }
}
