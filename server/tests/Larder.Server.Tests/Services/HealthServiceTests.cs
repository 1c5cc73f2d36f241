using System.Text;
using Larder.Server.Tests.Faults;
using Larder.Wire;

namespace Larder.Server.Tests.Services;

public sealed class HealthServiceTests
{
    private static readonly byte[] Serving = [0x08, 1];
    private static readonly byte[] NotServing = [0x08, 2];
    private static readonly byte[] ServiceUnknown = [0x08, 3];

    private static readonly RpcMethod<byte[], byte[]> Check = new("/grpc.health.v1.Health/Check", new RawCodec(), new RawCodec());
    private static readonly RpcMethod<byte[], byte[]> Watch = new("/grpc.health.v1.Health/Watch", new RawCodec(), new RawCodec());

    private static byte[] Request(string service) => service.Length == 0 ? [] : [0x0A, (byte)service.Length, .. Encoding.UTF8.GetBytes(service)];

    private static ValueTask<byte[]> CheckAsync(RunningServer server, byte[] request) =>
        server.Channel.UnaryAsync(Check, request, RpcHeaders.Empty, RunningServer.Patience, CancellationToken.None);

    // Opens a watch without a timeout, because it stays open for the whole test, while thousands of calls run.
    private static IAsyncEnumerable<byte[]> WatchAsync(RunningServer server, string service) =>
        server.Channel.ServerStreamAsync(Watch, Request(service), RpcHeaders.Empty, timeout: null);

    [Theory]
    [InlineData("")]
    [InlineData("cache_client.Scs")]
    [InlineData("cache_client.Ping")]
    [InlineData("control_client.ScsControl")]
    public async Task Check_returns_serving_for_known_service_without_a_token(string service)
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { Token = "sesame" });
        Assert.Equal(Serving, await CheckAsync(server, Request(service)));
    }

    [Theory]
    [InlineData("cache_client.Nothing", StatusCode.NotFound)]
    [InlineData("CACHE_CLIENT.SCS", StatusCode.NotFound)]
    public async Task Check_returns_NotFound_for_unknown_service(string service, StatusCode code)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        Assert.Equal(code, (await Assert.ThrowsAsync<RpcException>(async () => await CheckAsync(server, Request(service)))).Status.Code);
    }

    [Theory]
    [InlineData(257)]
    [InlineData(2_560)]
    [InlineData(1_000_000)]
    public async Task Check_rejects_request_longer_than_any_service_name(int bytes)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        Assert.Equal(
            StatusCode.ResourceExhausted,
            (await Assert.ThrowsAsync<RpcException>(async () => await CheckAsync(server, new byte[bytes]))).Status.Code);
    }

    [Fact]
    public async Task Check_rejects_malformed_request_and_ignores_unknown_fields()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        Assert.Equal(
            StatusCode.InvalidArgument,
            (await Assert.ThrowsAsync<RpcException>(async () => await CheckAsync(server, [0x0A, 0x7F, 1]))).Status.Code);
        Assert.Equal(Serving, await CheckAsync(server, [0x12, 3, 1, 2, 3]));
    }

    [Fact]
    public async Task Check_returns_not_serving_when_gateway_has_no_cluster()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { Store = "redis://127.0.0.1:1" });
        Assert.Equal(NotServing, await CheckAsync(server, []));
    }

    [Fact]
    public async Task Watch_reports_serving_and_then_not_serving_at_shutdown()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        List<byte[]> told = [];
        Task stopping = Task.CompletedTask;
        await foreach (byte[] answer in WatchAsync(server, ""))
        {
            told.Add(answer);
            if (told.Count == 1)
            {
                stopping = server.Server.StopAsync();
            }
        }

        await stopping;
        Assert.Equal([Serving, NotServing], told);
    }

    [Fact]
    public async Task Watch_reports_unknown_service()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await foreach (byte[] answer in WatchAsync(server, "elsewhere"))
        {
            Assert.Equal(ServiceUnknown, answer);
            break;
        }

        Assert.Equal(Serving, await CheckAsync(server, []));
    }

    [Fact]
    public async Task Watch_above_limit_of_256_is_rejected_until_another_ends()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { MaxStreamsPerConnection = 10_000 });
        List<IAsyncEnumerator<byte[]>> watches = [];
        for (int index = 0; index < 256; index++)
        {
            watches.Add(WatchAsync(server, "").GetAsyncEnumerator());
            Assert.True(await watches[index].MoveNextAsync());
        }

        for (int index = 0; index < 2_560; index++)
        {
            RpcException refused = await Assert.ThrowsAsync<RpcException>(async () => await FirstAsync(server));
            Assert.Equal(StatusCode.ResourceExhausted, refused.Status.Code);
        }

        Assert.Equal(Serving, await CheckAsync(server, []));
        await watches[0].DisposeAsync();
        await Until.TrueAsync(async () => await TryFirstAsync(server), "a watch that ended makes room for another");
        foreach (IAsyncEnumerator<byte[]> watch in watches.Skip(1))
        {
            await watch.DisposeAsync();
        }
    }

    private static async Task<byte[]> FirstAsync(RunningServer server)
    {
        await foreach (byte[] answer in WatchAsync(server, ""))
        {
            return answer;
        }

        throw new InvalidOperationException("The watch ended without an answer.");
    }

    private static async Task<bool> TryFirstAsync(RunningServer server)
    {
        try
        {
            return (await FirstAsync(server)).SequenceEqual(Serving);
        }
        catch (RpcException)
        {
            return false;
        }
    }
}
