using System.Net;
using System.Net.Sockets;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Tests;

/// <summary>What the client logs, with which fields.</summary>
public sealed class LogTests
{
    [Fact]
    public async Task A_retry_and_the_failure_after_it_are_told_at_debug_with_their_fields_and_no_key()
    {
        LogLines log = new();
        ManualTime time = new();
        FakeTransport transport = new();
        await using CacheClient client = new(
            Configurations.Laptop.V1(), CredentialProvider.Local(), TimeSpan.FromMinutes(1), new GuardedLogger(log), time, _ => transport);
        ValueTask<SetResponse> set = client.SetAsync("orders", "secret key", "secret value");
        transport.Fail(StatusCode.Unavailable, notProcessed: true);
        await Eventually.Holds(() => Step() && transport.Count == 1, "the call is sent again");
        transport.Fail(StatusCode.NotFound);
        Assert.IsType<SetResponse.Error>(await set);
        LogLine[] told = [.. log.Told];
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
    public async Task A_server_that_cannot_be_connected_is_named_and_that_it_is_back_too(Transport transport)
    {
        int port = FreePort();
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
        Assert.IsType<GetResponse.Error>(await Eventually.Within(client.WithRequestTimeout(TimeSpan.FromMilliseconds(200)).GetAsync("cache", "k")));
        await Eventually.Holds(() => log.Told.Any(static line => line.Event == "ConnectFailed"), "a line");
        LogLine failed = log.Told.First(static line => line.Event == "ConnectFailed");
        Assert.Equal((LogLevel.Warning, $"127.0.0.1:{port} Unavailable 1"), (failed.Level, failed.Fields("Endpoint", "Code", "Attempts")));

        await using RunningServer server = await RunningServer.StartAsync(port);
        await Eventually.Holds(() => client.GetAsync("cache", "k").AsTask().GetAwaiter().GetResult() is GetResponse.Miss, "an answer");
        await Eventually.Holds(() => log.Told.Any(static line => line.Event == "Reconnected"), "a line");
        LogLine back = log.Told.First(static line => line.Event == "Reconnected");
        Assert.Equal((LogLevel.Information, $"127.0.0.1:{port}"), (back.Level, back.Fields("Endpoint")));
        Assert.DoesNotContain(log.Told, static line => line.Text.Contains("secret", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_server_without_the_pipeline_is_named()
    {
        LogLines log = new();
        await using UnaryOnlyServer server = UnaryOnlyServer.Start();
        await using CacheClient client = new(
            Configurations.Laptop.V1(), CredentialProvider.Local(port: server.Port), TimeSpan.FromMinutes(1), new LoggerFactory([new LinesProvider(log)]));
        Assert.IsType<GetResponse.Miss>(await client.GetAsync("cache", "k"));
        LogLine told = Assert.Single(log.Told, static line => line.Event == "FallingBackToUnary");
        Assert.Equal((LogLevel.Warning, $"127.0.0.1:{server.Port}"), (told.Level, told.Fields("Endpoint")));
    }

    private static int FreePort()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private sealed class LinesProvider(LogLines log) : ILoggerProvider
    {
        public ILogger CreateLogger(string categoryName) => log;

        public void Dispose()
        {
        }
    }
}
