using System.Net.Http.Json;
using System.Text.Json;
using Larder.Harness.Processes;
using Larder.Harness.Servers;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

public sealed class ManyConnectionsFaultTests
{
    [Fact]
    public async Task N3_new_connection_replaces_a_silent_one_at_the_limit()
    {
        const int limit = 50;
        await using RunningServer server = await RunningServer.StartAsync(options => options with { MaxConnections = limit });
        await server.Channel.AssertServesAsync(calls: 1);
        List<Http2Attacker> idle = [];
        try
        {
            for (int connection = 0; connection < limit - 1; connection++)
            {
                idle.Add(await Http2Attacker.OpenAsync(server.Server.Endpoint));
            }

            await AssertConnectionsAsync(server.Server.ConsoleEndpoint, count => count == limit);
            using Http2Attacker more = await Http2Attacker.OpenAsync(server.Server.Endpoint);
            Assert.True(await idle[0].WaitUntilClosedAsync());
            await using RpcChannel caller = StallTolerantChannel.To(server.Server.Endpoint);
            await caller.AssertServesAsync();
            await server.Channel.AssertServesAsync();
        }
        finally
        {
            idle.ForEach(connection => connection.Dispose());
        }

        await AssertConnectionsAsync(server.Server.ConsoleEndpoint, count => count == 1);
        await using RpcChannel late = StallTolerantChannel.To(server.Server.Endpoint);
        await late.AssertServesAsync();
    }

    [Fact]
    public async Task N3_a_thousand_simultaneous_connections_do_not_affect_an_existing_client()
    {
        const int limit = 100;
        await using RunningServer server = await RunningServer.StartAsync(options => options with { MaxConnections = limit });
        await server.Channel.AssertServesAsync(calls: 1);
        async Task ConnectAsync()
        {
            using Http2Attacker attacker = await Http2Attacker.OpenAsync(server.Server.Endpoint);
        }

        await server.Channel.AssertServesDuringAsync(Task.WhenAll(Enumerable.Range(0, 1_000).Select(_ => ConnectAsync())));
        await AssertConnectionsAsync(server.Server.ConsoleEndpoint, count => count == 1);
        await using RpcChannel late = StallTolerantChannel.To(server.Server.Endpoint);
        await late.AssertServesAsync();
    }

    [Fact]
    public async Task N3_server_survives_descriptor_exhaustion_and_recovers()
    {
        const int descriptors = 400;
        using ServerProcess server = await ServerProcess.StartAsync(new ServerProcessOptions { Runner = Runners.WithDescriptors(descriptors) });
        await using RpcChannel channel = StallTolerantChannel.To(server.Endpoint);
        await channel.AssertServesAsync(calls: 1);
        List<Http2Attacker> idle = [];
        try
        {
            for (int connection = 0; connection < descriptors; connection++)
            {
                idle.Add(await Http2Attacker.OpenAsync(server.Endpoint));
            }

            Assert.True(await idle[0].WaitUntilClosedAsync(), "The oldest silent connection was not closed for one too many.");
            await channel.AssertServesAsync();
            await AssertConnectionsAsync(server.Console, count => count is > 1 and < descriptors);
        }
        finally
        {
            idle.ForEach(connection => connection.Dispose());
        }

        await AssertConnectionsAsync(server.Console, count => count == 1);
        await using RpcChannel late = StallTolerantChannel.To(server.Endpoint);
        await late.AssertServesAsync();
        server.Signal(Signals.Terminate);
        Assert.Equal(0, await server.WaitForExitAsync());
    }

    [LongFact]
    public async Task N3_server_accepts_calls_with_five_thousand_idle_connections()
    {
        const int limit = 5_000;
        using ServerProcess server = await ServerProcess.StartAsync("--max-connections", $"{limit + 1}");
        await using RpcChannel channel = StallTolerantChannel.To(server.Endpoint);
        await channel.AssertServesAsync(calls: 1);
        List<Http2Attacker> idle = [];
        try
        {
            for (int connection = 0; connection < limit; connection++)
            {
                idle.Add(await Http2Attacker.OpenAsync(server.Endpoint));
            }

            await AssertConnectionsAsync(server.Console, count => count == limit + 1);
            for (int connection = 0; connection < 1_000; connection++)
            {
                using Http2Attacker refused = await Http2Attacker.OpenAsync(server.Endpoint);
            }

            await channel.AssertServesAsync();
        }
        finally
        {
            idle.ForEach(connection => connection.Dispose());
        }

        await AssertConnectionsAsync(server.Console, count => count == 1);
        await channel.AssertServesAsync();
    }

    private static async Task AssertConnectionsAsync(Uri consoleEndpoint, Func<long, bool> expected)
    {
        using HttpClient console = new();
        await Until.TrueAsync(
            async () => expected((await console.GetFromJsonAsync<JsonElement>(new Uri(consoleEndpoint, "/stats"))).GetProperty("connections").GetInt64()),
            "the number of open connections");
    }
}
