using Larder.Harness.Processes;
using Larder.Harness.Servers;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

public sealed class TokenFaultTests
{
    private const string Token = "a-secret-that-must-not-be-told";
    private const string WrongToken = "another-secret-that-must-not-be-told";

    [Fact]
    public async Task A1_rejected_token_never_appears_in_logs_or_metrics()
    {
        using ServerProcess server = await ServerProcess.StartAsync(
            new ServerProcessOptions { Environment = new Dictionary<string, string?> { ["LARDER_TOKEN"] = Token } });
        await using RpcChannel channel = StallTolerantChannel.To(server.Endpoint);
        Assert.Equal(StatusCode.Unauthenticated, await StatusAsync(channel, RunningServer.CacheHeaders()));
        Assert.Equal(StatusCode.Unauthenticated, await StatusAsync(channel, RunningServer.CacheHeaders().With("authorization", WrongToken)));
        Assert.Equal(StatusCode.Ok, await StatusAsync(channel, RunningServer.CacheHeaders().With("authorization", Token)));
        using HttpClient console = new();
        string told = await console.GetStringAsync(new Uri(server.Console, "/metrics")) + await console.GetStringAsync(new Uri(server.Console, "/stats"));
        server.Signal(Signals.Terminate);
        Assert.Equal(0, await server.WaitForExitAsync());
        told += await server.WholeLogAsync();
        Assert.DoesNotContain(Token, told, StringComparison.Ordinal);
        Assert.DoesNotContain(WrongToken, told, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A1_unauthenticated_caller_cannot_probe_which_RPCs_exist()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { Token = Token });
        foreach (string path in (string[])[FaultCalls.Get, "/nowhere.Nothing/Call"])
        {
            RpcException refused = await Assert.ThrowsAsync<RpcException>(async () =>
                await server.CallAsync<GetResponse>(path, new GetRequest(), RunningServer.CacheHeaders().With("authorization", WrongToken)));
            Assert.Equal(StatusCode.Unauthenticated, refused.Status.Code);
        }
    }

    [Fact]
    public async Task A1_token_from_a_file_is_required()
    {
        string path = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(path, Token + "\n");
            await using RunningServer server = await RunningServer.StartAsync(options => options with { TokenPath = path });
            Assert.Equal(StatusCode.Unauthenticated, await StatusAsync(server.Channel, RunningServer.CacheHeaders()));
            Assert.Equal(StatusCode.Ok, await StatusAsync(server.Channel, RunningServer.CacheHeaders().With("authorization", Token)));
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static async Task<StatusCode> StatusAsync(RpcChannel channel, RpcHeaders headers)
    {
        try
        {
            await channel.UnaryAsync(
                FaultCalls.GetMethod,
                new GetRequest { Key = CallHarness.Bytes("k") },
                headers,
                RunningServer.Patience,
                CancellationToken.None);
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }
}
