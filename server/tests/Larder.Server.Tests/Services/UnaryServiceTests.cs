using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Services;

public sealed class UnaryServiceTests
{
    [Fact]
    public async Task Get_returns_the_value_stored_by_Set()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        byte[] value = new byte[100_000];
        new Random(1).NextBytes(value);
        SetRequest set = new() { Key = CallHarness.Bytes("k"), Value = ByteString.CopyFrom(value), TtlMs = 60_000 };
        Assert.Equal(CacheResult.Ok, (await server.CallAsync<SetResponse>("/cache_client.Scs/Set", set)).Result);
        GetResponse get = await server.CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest { Key = CallHarness.Bytes("k") });
        Assert.Equal(value, get.Value.ToByteArray());
    }

    [Fact]
    public async Task Unknown_cache_and_missing_cache_header_are_rejected()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        Assert.Equal(
            StatusCode.NotFound,
            await FailAsync(server, "/cache_client.Scs/Get", new GetRequest { Key = CallHarness.Bytes("k") }, RunningServer.CacheHeaders("elsewhere")));
        Assert.Equal(
            StatusCode.InvalidArgument,
            await FailAsync(server, "/cache_client.Scs/Get", new GetRequest { Key = CallHarness.Bytes("k") }, RpcHeaders.Empty));
    }

    [Fact]
    public async Task P4_value_over_the_limit_is_rejected_and_connection_survives()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        SetRequest set = new() { Key = CallHarness.Bytes("k"), Value = ByteString.CopyFrom(new byte[5_000_192]), TtlMs = 60_000 };
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () => await server.CallAsync<SetResponse>("/cache_client.Scs/Set", set));
        Assert.Equal(StatusCode.ResourceExhausted, error.Status.Code);
        Assert.Contains("request limit", error.Status.Message, StringComparison.Ordinal);
        Assert.Contains(new KeyValuePair<string, string>("err", "request_size_limit_exceeded"), error.Trailers);
        Assert.Equal(CacheResult.Miss, (await server.CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest { Key = CallHarness.Bytes("k") })).Result);
    }

    [Fact]
    public async Task A1_call_without_the_token_fails_with_Unauthenticated()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { Token = "sesame" });
        GetRequest get = new() { Key = CallHarness.Bytes("k") };
        Assert.Equal(StatusCode.Unauthenticated, await FailAsync(server, "/cache_client.Scs/Get", get, RunningServer.CacheHeaders()));
        Assert.Equal(
            StatusCode.Unauthenticated,
            await FailAsync(server, "/cache_client.Scs/Get", get, RunningServer.CacheHeaders().With("authorization", "open")));
        Assert.Equal(
            CacheResult.Miss,
            (await server.CallAsync<GetResponse>("/cache_client.Scs/Get", get, RunningServer.CacheHeaders().With("authorization", "sesame"))).Result);
    }

    [Fact]
    public async Task Unknown_RPC_fails_with_Unimplemented()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        Assert.Equal(StatusCode.Unimplemented, await FailAsync(server, "/cache_client.Scs/NotThere", new GetRequest(), RunningServer.CacheHeaders()));
    }

    [Fact]
    public async Task Cache_can_be_created_listed_flushed_and_deleted()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await server.CallAsync<CreateCacheResponse>("/control_client.ScsControl/CreateCache", new CreateCacheRequest { Name = "second" });
        Assert.Equal(
            StatusCode.AlreadyExists,
            await FailAsync(server, "/control_client.ScsControl/CreateCache", new CreateCacheRequest { Name = "second" }, RpcHeaders.Empty));
        Assert.Equal(
            StatusCode.InvalidArgument,
            await FailAsync(server, "/control_client.ScsControl/CreateCache", new CreateCacheRequest { Name = "  " }, RpcHeaders.Empty));

        ListCachesResponse list = await server.CallAsync<ListCachesResponse>("/control_client.ScsControl/ListCaches", new ListCachesRequest());
        Assert.Equal(["cache", "second"], list.Caches.Select(cache => cache.Name).Order());
        Assert.All(list.Caches, cache => Assert.Equal(4_883u, cache.CacheLimits.MaxItemSizeKb));
        Assert.All(list.Caches, cache => Assert.Equal(86_400u, cache.CacheLimits.MaxTtlSeconds));

        SetRequest set = new() { Key = CallHarness.Bytes("k"), Value = CallHarness.Bytes("v"), TtlMs = 60_000 };
        await server.CallAsync<SetResponse>("/cache_client.Scs/Set", set, RunningServer.CacheHeaders("second"));
        await server.CallAsync<FlushCacheResponse>("/control_client.ScsControl/FlushCache", new FlushCacheRequest { Name = "second" });
        Assert.Equal(
            CacheResult.Miss,
            (await server.CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest { Key = set.Key }, RunningServer.CacheHeaders("second"))).Result);

        await server.CallAsync<DeleteCacheResponse>("/control_client.ScsControl/DeleteCache", new DeleteCacheRequest { Name = "second" });
        Assert.Equal(
            StatusCode.NotFound,
            await FailAsync(server, "/control_client.ScsControl/DeleteCache", new DeleteCacheRequest { Name = "second" }, RpcHeaders.Empty));
        Assert.Equal(
            StatusCode.NotFound,
            await FailAsync(server, "/cache_client.Scs/Get", new GetRequest { Key = set.Key }, RunningServer.CacheHeaders("second")));
    }

    [Fact]
    public async Task CTRL_11_cache_with_quota_evicts_only_its_own_items()
    {
        const string Create = "/control_client.ScsControl/CreateCache";
        const ulong Least = 2 * 5_000_192;
        await using RunningServer server = await RunningServer.StartAsync();
        foreach (ulong maxBytes in (ulong[])[1, Least - 1, long.MaxValue + 1UL, ulong.MaxValue])
        {
            CreateCacheRequest bad = new() { Name = "limited", MaxBytes = maxBytes };
            Assert.Equal(StatusCode.InvalidArgument, await FailAsync(server, Create, bad, RpcHeaders.Empty));
        }

        await server.CallAsync<CreateCacheResponse>(Create, new CreateCacheRequest { Name = "limited", MaxBytes = Least });
        ListCachesResponse list = await server.CallAsync<ListCachesResponse>("/control_client.ScsControl/ListCaches", new ListCachesRequest());
        Assert.Equal([("cache", 0UL), ("limited", Least)], list.Caches.Select(cache => (cache.Name, cache.MaxBytes)));
        SetRequest set = new() { Value = CallHarness.Bytes(new string('v', 1_000_000)), TtlMs = 60_000 };
        foreach (string cache in (string[])["cache", "limited"])
        {
            for (int i = 0; i < 30; i++)
            {
                set.Key = CallHarness.Bytes($"{i}");
                await server.CallAsync<SetResponse>("/cache_client.Scs/Set", set, RunningServer.CacheHeaders(cache));
            }
        }

        using HttpClient http = new();
        string metrics = await http.GetStringAsync(new Uri(server.Server.ConsoleEndpoint, "/metrics"));
        Assert.Contains("cache_entries{cache=\"limited\"} 10\n", metrics, StringComparison.Ordinal);
        Assert.Contains("cache_evictions_total{cache=\"limited\",reason=\"quota\"} 20\n", metrics, StringComparison.Ordinal);
        Assert.Contains("cache_evictions_total{cache=\"cache\",reason=\"quota\"} 0\n", metrics, StringComparison.Ordinal);
        Assert.Contains($"cache_quota_bytes{{cache=\"limited\"}} {Least}\n", metrics, StringComparison.Ordinal);
    }

    [Fact]
    public async Task GetBatch_streams_results_in_request_order()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await server.CallAsync<SetResponse>(
            "/cache_client.Scs/Set",
            new SetRequest
            {
                Key = CallHarness.Bytes("a"),
                Value = CallHarness.Bytes("1"),
                TtlMs = 60_000,
            });
        GetBatchRequest batch = new()
        {
            Items =
            {
                new GetRequest { Key = CallHarness.Bytes("a") },
                new GetRequest { Key = CallHarness.Bytes("b") },
            },
        };
        RpcMethod<IMessage, GetResponse> method = new("/cache_client.Scs/GetBatch", new AnyMessageCodec(), new ProtobufCodec<GetResponse>());
        List<CacheResult> results = [];
        await foreach (GetResponse response in server.Channel.ServerStreamAsync(method, batch, RunningServer.CacheHeaders(), RunningServer.Patience))
        {
            results.Add(response.Result);
        }

        Assert.Equal([CacheResult.Hit, CacheResult.Miss], results);
    }

    [Fact]
    public async Task Injected_faults_are_ignored_unless_fault_injection_is_enabled()
    {
        RpcHeaders faults = RunningServer
            .CacheHeaders()
            .With("return-error", "unavailable")
            .With("error-rpcs", "get")
            .With("request-id", "r")
            .With("error-count", "1");
        GetRequest get = new() { Key = CallHarness.Bytes("k") };
        await using RunningServer plain = await RunningServer.StartAsync();
        Assert.Equal(CacheResult.Miss, (await plain.CallAsync<GetResponse>("/cache_client.Scs/Get", get, faults)).Result);

        await using RunningServer faulty = await RunningServer.StartAsync(options => options with { FaultInjection = true });
        Assert.Equal(StatusCode.Unavailable, await FailAsync(faulty, "/cache_client.Scs/Get", get, faults));
        Assert.Equal(CacheResult.Miss, (await faulty.CallAsync<GetResponse>("/cache_client.Scs/Get", get, faults)).Result);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Injected_stream_error_follows_requested_number_of_responses(int limit)
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { FaultInjection = true });
        RpcHeaders faults = RunningServer
            .CacheHeaders()
            .With("stream-error", "aborted")
            .With("stream-error-rpcs", "get-batch")
            .With("stream-error-message-limit", $"{limit}");
        GetBatchRequest batch = new()
        {
            Items =
            {
                new GetRequest { Key = CallHarness.Bytes("a") },
                new GetRequest { Key = CallHarness.Bytes("b") },
            },
        };
        RpcMethod<IMessage, GetResponse> method = new("/cache_client.Scs/GetBatch", new AnyMessageCodec(), new ProtobufCodec<GetResponse>());
        int answers = 0;
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            await foreach (GetResponse response in server.Channel.ServerStreamAsync(method, batch, faults, RunningServer.Patience))
            {
                answers++;
            }
        });
        Assert.Equal((StatusCode.Aborted, limit), (error.Status.Code, answers));
    }

    private static async Task<StatusCode> FailAsync(RunningServer server, string path, IMessage request, RpcHeaders headers) =>
        (await Assert.ThrowsAsync<RpcException>(async () => await server.CallAsync<GetResponse>(path, request, headers))).Status.Code;
}
