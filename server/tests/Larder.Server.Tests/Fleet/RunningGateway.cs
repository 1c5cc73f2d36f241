using Google.Protobuf;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet;

/// <summary>A front in this process, waited for until it reaches its cluster.</summary>
internal static class RunningFront
{
    public static async Task<RunningServer> StartAsync(string url, Func<ServerOptions, ServerOptions>? with = null)
    {
        RunningServer front = await RunningServer.StartAsync(options => (with is null ? options : with(options)) with { Store = url });
        await WaitUntilReadyAsync(front);
        return front;
    }

    public static Task WaitUntilReadyAsync(RunningServer front) => Patience.UntilAsync(() => IsReadyAsync(front), "the front reaches its cluster");

    public static Task<GetResponse> GetAsync(this RunningServer front, string key, string cache = RunningServer.Cache) =>
        front.CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest { Key = CallHarness.Bytes(key) }, RunningServer.CacheHeaders(cache)).AsTask();

    public static Task<SetResponse> SetAsync(this RunningServer front, string key, string value, ulong ttlMs = 60_000, string cache = RunningServer.Cache) =>
        front.CallAsync<SetResponse>(
            "/cache_client.Scs/Set",
            new SetRequest { Key = CallHarness.Bytes(key), Value = CallHarness.Bytes(value), TtlMs = ttlMs },
            RunningServer.CacheHeaders(cache)).AsTask();

    public static Task<FlushCacheResponse> FlushAsync(this RunningServer front, string cache = RunningServer.Cache) =>
        front.CallAsync<FlushCacheResponse>("/control_client.ScsControl/FlushCache", new FlushCacheRequest { Name = cache }).AsTask();

    public static async Task<RpcException> FailAsync(this RunningServer front, string rpc, IMessage request) =>
        await Assert.ThrowsAsync<RpcException>(async () => await front.CallAsync<PingResponse>($"/cache_client.Scs/{rpc}", request));

    /// <summary>The one answer to one operation.</summary>
    public static async Task<Result> AskAsync(this PipelineClient client, Operation operation)
    {
        await client.SendAsync(operation);
        return (await client.ReadResultsAsync(1))[operation.Id];
    }

    private static async Task<bool> IsReadyAsync(RunningServer front)
    {
        try
        {
            await front.GetAsync("any");
            return true;
        }
        catch (RpcException error) when (error.Status.Code == StatusCode.Unavailable)
        {
            return false;
        }
    }
}
