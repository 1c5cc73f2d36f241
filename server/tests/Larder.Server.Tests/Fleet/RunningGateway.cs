using Google.Protobuf;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet;

/// <summary>Starts a gateway in this process and waits until it reaches its cluster.</summary>
internal static class RunningGateway
{
    public static async Task<RunningServer> StartAsync(string url, Func<ServerOptions, ServerOptions>? with = null)
    {
        RunningServer gateway = await RunningServer.StartAsync(options => (with is null ? options : with(options)) with { Store = url });
        await WaitUntilReadyAsync(gateway);
        return gateway;
    }

    public static Task WaitUntilReadyAsync(RunningServer gateway) => Eventually.UntilAsync(() => IsReadyAsync(gateway), "the gateway reaches its cluster");

    public static Task<GetResponse> GetAsync(this RunningServer gateway, string key, string cache = RunningServer.Cache) =>
        gateway.CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest { Key = CallHarness.Bytes(key) }, RunningServer.CacheHeaders(cache)).AsTask();

    public static Task<SetResponse> SetAsync(this RunningServer gateway, string key, string value, ulong ttlMs = 60_000, string cache = RunningServer.Cache) =>
        gateway.CallAsync<SetResponse>(
            "/cache_client.Scs/Set",
            new SetRequest { Key = CallHarness.Bytes(key), Value = CallHarness.Bytes(value), TtlMs = ttlMs },
            RunningServer.CacheHeaders(cache)).AsTask();

    public static Task<FlushCacheResponse> FlushAsync(this RunningServer gateway, string cache = RunningServer.Cache) =>
        gateway.CallAsync<FlushCacheResponse>("/control_client.ScsControl/FlushCache", new FlushCacheRequest { Name = cache }).AsTask();

    public static async Task<RpcException> FailAsync(this RunningServer gateway, string rpc, IMessage request) =>
        await Assert.ThrowsAsync<RpcException>(async () => await gateway.CallAsync<PingResponse>($"/cache_client.Scs/{rpc}", request));

    /// <summary>Sends one operation and returns its result.</summary>
    public static async Task<Result> AskAsync(this PipelineClient client, Operation operation)
    {
        await client.SendAsync(operation);
        return (await client.ReadResultsAsync(1))[operation.Id];
    }

    private static async Task<bool> IsReadyAsync(RunningServer gateway)
    {
        try
        {
            await gateway.GetAsync("any");
            return true;
        }
        catch (RpcException error) when (error.Status.Code == StatusCode.Unavailable)
        {
            return false;
        }
    }
}
