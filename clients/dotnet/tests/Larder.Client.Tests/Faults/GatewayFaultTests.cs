using System.Diagnostics.Metrics;
using System.Net;
using System.Net.Sockets;
using Larder.Client.Tests.Support;
using Larder.Harness.Proxies;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client.Tests.Faults;

/// <summary>Tests several gateways, some of which fail (docs/faults.md, S5). The servers are real, and the tests use both transports.</summary>
public sealed class GatewayFaultTests
{
    public static TheoryData<Transport> Transports => [Transport.Unary, Transport.Pipeline];

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task S5h_idempotent_calls_succeed_while_a_killed_gateway_restarts(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        FaultProxy mortal = new(server.Port);
        await using FaultProxy other = new(server.Port);
        await using CacheClient client = Of(transport, mortal.Port, other.Port);
        await Warm(client);
        await Eventually.Holds(() => client.Gateways.All(static gateway => !gateway.IsLeftOut), "both are up");
        using CancellationTokenSource over = new();
        Task<int>[] callers = [.. Enumerable.Range(0, 20).Select(caller => CallUntil(client, caller, over.Token))];

        int port = mortal.Port;
        await mortal.DisposeAsync();
        await Eventually.Holds(() => client.Gateways[0] is { IsLeftOut: true, Connections: 0 }, "the dead gateway is left out");
        Assert.False(client.Gateways[1].IsLeftOut);

        await using FaultProxy successor = new(server.Port, port: port);
        await Eventually.Holds(() => client.Gateways.All(static gateway => !gateway.IsLeftOut), "both are up again");
        await over.CancelAsync();
        Assert.True((await Task.WhenAll(callers).WaitAsync(Eventually.Limit)).Sum() > 0);
        await Warm(client);
        Assert.Equal(2, client.Gateways.Count(static gateway => gateway.Connections > 0));
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task GATEWAY_5_calls_succeed_while_a_gateway_drains(Transport transport)
    {
        await using RunningServer draining = await RunningServer.StartAsync();
        await using RunningServer other = await RunningServer.StartAsync();
        await using CacheClient client = Of(transport, draining.Port, other.Port);
        await Warm(client);
        using CancellationTokenSource over = new();
        Task<int>[] callers = [.. Enumerable.Range(0, 20).Select(caller => CallUntil(client, caller, over.Token))];
        await draining.StopAsync().WaitAsync(Eventually.Limit);
        await Warm(client);
        Assert.True(client.Gateways[0].IsLeftOut);
        await over.CancelAsync();
        Assert.True((await Task.WhenAll(callers).WaitAsync(Eventually.Limit)).Sum() > 0);
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task GATEWAY_10_call_fails_with_Unavailable_without_a_running_gateway(Transport transport)
    {
        RunningServer first = await RunningServer.StartAsync();
        RunningServer second = await RunningServer.StartAsync();
        await using CacheClient client = Of(transport, first.Port, second.Port);
        await Warm(client);
        await first.DisposeAsync();
        await second.DisposeAsync();
        CacheError error = Expect.Error(await Eventually.Within(client.Cache("cache").GetAsync("k")));
        Assert.True(error.Code == CacheErrorCode.Unavailable, error.Message);
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task GATEWAY_8_unresponsive_gateway_does_not_delay_calls(Transport transport)
    {
        using Socket silent = new(SocketType.Stream, ProtocolType.Tcp);
        silent.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        silent.Listen();
        await using RunningServer server = await RunningServer.StartAsync();
        // An attempt to connect takes longer than the deadline, so a call that waited for the attempt would fail.
        await using CacheClient client = Of(transport, ((IPEndPoint)silent.LocalEndPoint!).Port, server.Port, static settings => settings with
        {
            ConnectTimeout = TimeSpan.FromMinutes(1),
        });
        for (int call = 0; call < 200; call++)
        {
            LookupResult<CacheValue> answer = await Eventually.Within(client.Cache("cache").GetAsync("k"));
            Assert.True(answer is { IsMiss: true }, answer.Error?.Message);
        }

        Assert.Equal([true, false], client.Gateways.Select(static gateway => gateway.IsLeftOut));
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task GATEWAY_6_all_kinds_of_calls_use_all_gateways(Transport transport)
    {
        await using RunningServer first = await RunningServer.StartAsync();
        await using RunningServer second = await RunningServer.StartAsync();
        await using CacheClient client = Of(transport, first.Port, second.Port);
        await Warm(client);
        await using CacheClient one = first.Connect(Tolerant(transport));
        await using CacheClient two = second.Connect(Tolerant(transport));
        byte[] large = new byte[200_000];
        for (int key = 0; key < 40; key++)
        {
            Expect.Success(await Eventually.Within(client.Cache("cache").SetAsync($"large{key}", large)));
            Expect.Success(await Eventually.Within(client.PingAsync()));
        }

        int there = 0;
        for (int key = 0; key < 40; key++)
        {
            bool isFirst = await one.Cache("cache").GetAsync($"large{key}") is { IsHit: true };
            bool isSecond = await two.Cache("cache").GetAsync($"large{key}") is { IsHit: true };
            Assert.True(isFirst ^ isSecond);
            there += isFirst ? 1 : 0;
        }

        Assert.InRange(there, 1, 39);
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task GATEWAY_3_each_resolved_address_becomes_a_gateway(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy second = new(server.Port, IPAddress.Parse("127.0.0.2"), server.Port);
        Configuration configuration = Tolerant(transport);
        await using CacheClient client = new(
            configuration,
            CredentialProvider.FromEndpoint("localhost", server.Port),
            TimeSpan.FromMinutes(1),
            NullLogger.Instance,
            TimeProvider.System,
            runner => new GatewaySet(
                TransportFactory.GatewaysOf(configuration, CredentialProvider.FromEndpoint("localhost", server.Port), runner, NullLogger.Instance) with
                {
                    Resolve = static (_, _) => Task.FromResult<IPAddress[]>([IPAddress.Loopback, IPAddress.Parse("127.0.0.2")]),
                },
                runner,
                NullLogger.Instance));
        await Eventually.Holds(() => client.Gateways.Count == 2, "two gateways");
        await Warm(client);
        Assert.Equal(
            [$"http://localhost:{server.Port}/ (127.0.0.1)", $"http://localhost:{server.Port}/ (127.0.0.2)"],
            client.Gateways.Select(static gateway => gateway.Address));
        await Eventually.Holds(() => client.Gateways.All(static gateway => gateway is { Connections: > 0, IsLeftOut: false }), "both are up");
        Assert.True(second.Accepted > 0);
        AssertIdle(client);
    }

    [Fact]
    public async Task GATEWAY_1_each_gateway_receives_its_own_token()
    {
        await using RunningServer first = await RunningServer.StartAsync(token: "one");
        await using RunningServer second = await RunningServer.StartAsync(token: "two");
        CredentialProvider right = CredentialProvider.FromString($"http://one@127.0.0.1:{first.Port},http://two@127.0.0.1:{second.Port}");
        await using CacheClient client = new(Tolerant(Transport.Pipeline), right, TimeSpan.FromMinutes(1));
        await Warm(client);
        await Eventually.Holds(() => client.Gateways.All(static gateway => !gateway.IsLeftOut), "both are up");

        CredentialProvider half = CredentialProvider.FromString($"http://one@127.0.0.1:{first.Port},http://wrong@127.0.0.1:{second.Port}");
        await using CacheClient partly = new(Tolerant(Transport.Pipeline), half, TimeSpan.FromMinutes(1));
        for (int call = 0; call < 100; call++)
        {
            Expect.Miss(await Eventually.Within(partly.Cache("cache").GetAsync("none")));
        }

        Assert.Equal([false, true], partly.Gateways.Select(static gateway => gateway.IsLeftOut));
        Assert.DoesNotContain("wrong", string.Join(' ', partly.Gateways.Select(static gateway => gateway.Address)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task GATEWAY_4_and_13_statistics_list_each_configured_gateway()
    {
        await using RunningServer first = await RunningServer.StartAsync();
        await using RunningServer second = await RunningServer.StartAsync();
        await using CacheClient single = first.Connect(Tolerant(Transport.Pipeline));
        await Warm(single);
        Assert.Equal((1, Transport.Pipeline), (single.Connections, single.TransportInUse));
        Assert.Equal(
            new GatewayStatistics { Address = $"http://127.0.0.1:{first.Port}/", Connections = 1, InFlight = 0, IsLeftOut = false },
            Assert.Single(single.Gateways));
        Assert.Empty(Gauges(single));

        await using CacheClient both = Of(Transport.Pipeline, first.Port, second.Port);
        await Warm(both);
        await Eventually.Holds(() => both.Gateways.All(static gateway => !gateway.IsLeftOut), "both are up");
        Assert.Equal((2, Transport.Pipeline), (both.Connections, both.TransportInUse));
        string[] names = [.. both.Gateways.Select(static gateway => gateway.Address).Order()];
        Assert.Equal(
            [.. names.Select(static name => ("cache.client.connections", name, 1)), .. names.Select(static name => ("cache.client.gateway.left_out", name, 0))],
            Gauges(both));
    }

    [Fact]
    public async Task GATEWAY_10_connect_needs_one_reachable_gateway()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        // The sockets are bound but do not listen. So they refuse connections, and no other program can take their ports.
        using Socket gone = Bound();
        using Socket goneToo = Bound();
        await using CacheClient half = Of(Transport.Pipeline, PortOf(gone), server.Port);
        Expect.Success(await Eventually.Within(half.ConnectAsync()));
        await using CacheClient none = Of(Transport.Pipeline, PortOf(gone), PortOf(goneToo));
        Assert.Equal(CacheErrorCode.Unavailable, Expect.Error(await Eventually.Within(none.ConnectAsync())).Code);
    }

    [Fact]
    public async Task GATEWAY_10_connect_waits_for_slow_gateway_while_another_refuses()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy slow = new(server.Port);
        await using FaultProxy refusing = new(server.Port) { IsRefusing = true };
        slow.HoldFrom(0);
        await using CacheClient client = Of(Transport.Pipeline, refusing.Port, slow.Port);
        Task<CacheResult> connecting = client.ConnectAsync().AsTask();
        await Eventually.Holds(() => refusing.Accepted >= 5, "the refusing gateway was tried for longer than an attempt may take after the grace period");
        Assert.False(connecting.IsCompleted);
        slow.Release();
        Expect.Success(await connecting.WaitAsync(Eventually.Limit));
    }

    private static Socket Bound()
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    private static int PortOf(Socket socket) => ((IPEndPoint)socket.LocalEndPoint!).Port;

    private static List<(string Name, string Gateway, int Value)> Gauges(CacheClient client)
    {
        List<(string, string, int)> seen = [];
        using MeterListener listener = new()
        {
            InstrumentPublished = (instrument, listening) =>
            {
                if (instrument.Meter == client.Telemetry.Meter && instrument.Name is "cache.client.connections" or "cache.client.gateway.left_out")
                {
                    listening.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<int>((instrument, value, tags, _) =>
        {
            if (instrument.Meter == client.Telemetry.Meter)
            {
                seen.Add((instrument.Name, (string)tags[0].Value!, value));
            }
        });
        listener.Start();
        listener.RecordObservableInstruments();
        return [.. seen.Order()];
    }

    private static async Task<int> CallUntil(CacheClient client, int caller, CancellationToken over)
    {
        int calls = 0;
        while (!over.IsCancellationRequested)
        {
            CacheResult set = await client.Cache("cache").SetAsync($"k{caller}", $"k{caller}", cancellationToken: CancellationToken.None);
            Assert.False(set is { IsError: true }, set.Error?.Message);
            LookupResult<CacheValue> get = await client.Cache("cache").GetAsync($"k{caller}", CancellationToken.None);
            Assert.False(get is { IsError: true }, get.Error?.Message);
            Assert.False(get.IsHit && get.Value.Text != $"k{caller}");
            calls += 2;
        }

        return calls;
    }

    // Waits until every reachable gateway is connected. The calls also earn a retry budget that covers all calls in flight.
    private static async Task Warm(CacheClient client)
    {
        CacheResult connected = await Eventually.Within(client.ConnectAsync());
        if (connected is { Error: { Code: CacheErrorCode.Timeout } })
        {
            // A busy machine may stall for longer than a call's deadline, so the test retries once.
            connected = await Eventually.Within(client.ConnectAsync());
        }

        Assert.True(connected.IsSuccess, connected.Error?.Message);
        for (int round = 0; round < 100; round++)
        {
            CacheResult[] set = await Task.WhenAll(Enumerable.Range(0, 20).Select(key => client.Cache("cache").SetAsync($"k{key}", $"k{key}").AsTask()));
            Assert.All(set, static answer => Assert.False(answer is { IsError: true }, answer.Error?.Message));
        }
    }

    private static CacheClient Of(Transport transport, int first, int second, Func<Configuration, Configuration>? change = null) => new(
        (change ?? (static settings => settings))(Tolerant(transport)),
        CredentialProvider.FromString($"http://127.0.0.1:{first},http://127.0.0.1:{second}"),
        TimeSpan.FromMinutes(1));

    // The deadline that case S5h of docs/faults.md requires.
    private static Configuration Tolerant(Transport transport) =>
        Configurations.Laptop.V1() with { Transport = transport, RequestTimeout = TimeSpan.FromSeconds(5), Channels = 1 };

    private static void AssertIdle(CacheClient client)
    {
        client.Limiter.AssertValid();
        Assert.Equal((0, 0), (client.InFlight, client.Queued));
    }
}
