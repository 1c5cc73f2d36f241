using System.Net;
using System.Net.Http.Headers;
using Google.Protobuf;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Security;

/// <summary>Tests of calls with tokens from a file, on a server with its own store and on a gateway.</summary>
public sealed class AccessCallTests : IDisposable
{
    private readonly TokensOnDisk _tokens = new(
        TokensOnDisk.Entry("admin", "admin", "*"),
        TokensOnDisk.Entry("ops", "admin", "orders"),
        TokensOnDisk.Entry("cart", "readwrite", "orders", "cart:"),
        TokensOnDisk.Entry("reader", "read", "*"),
        TokensOnDisk.Entry("expired", "admin", "*", expires: "2001-01-01T00:00:00Z"));

    private readonly RedisServer _redis = new();

    public void Dispose()
    {
        _tokens.Dispose();
        _redis.Dispose();
    }

    [Fact]
    public async Task A1_gateway_enforces_permissions_of_every_role_on_every_RPC()
    {
        _tokens.Write(AccessMatrix.Entries);
        await using RunningServer gateway = await StartAsync(isGateway: true, "admin");
        await AccessMatrix.AssertPipelineAsync(gateway);
        await AccessMatrix.AssertUnaryAsync(gateway);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Token_can_create_and_list_only_granted_caches(bool isGateway)
    {
        await using RunningServer server = await StartAsync(isGateway);
        await server.CallAsync<CreateCacheResponse>(Control("CreateCache"), new CreateCacheRequest { Name = "orders" }, As("ops"));
        Assert.Equal(StatusCode.PermissionDenied, (await RefusedAsync(server, Control("CreateCache"), new CreateCacheRequest { Name = "hidden" }, "ops")).Code);
        await server.CallAsync<CreateCacheResponse>(Control("CreateCache"), new CreateCacheRequest { Name = "hidden" }, As("admin"));
        Assert.Equal(["orders"], await ListAsync(server, "ops"));
        Assert.Equal(["orders"], await ListAsync(server, "cart"));
        Assert.Equal(["cache", "hidden", "orders"], await ListAsync(server, "reader"));
        Status there = await RefusedAsync(server, "/cache_client.Scs/Get", Get("k"), "cart", "hidden");
        Status nowhere = await RefusedAsync(server, "/cache_client.Scs/Get", Get("k"), "cart", "nowhere");
        // The response does not reveal whether the cache exists.
        Assert.Equal(there.Message.Replace("hidden", "nowhere", StringComparison.Ordinal), nowhere.Message);
        Assert.Equal(StatusCode.PermissionDenied, there.Code);
        Assert.DoesNotContain("orders", there.Message, StringComparison.Ordinal);
        Assert.Equal(StatusCode.NotFound, (await RefusedAsync(server, "/cache_client.Scs/Get", Get("k"), "reader", "nowhere")).Code);
        Assert.Equal(StatusCode.InvalidArgument, (await RefusedAsync(server, "/cache_client.Scs/Get", Get("k"), "cart", "")).Code);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Batch_with_one_forbidden_key_is_rejected_and_stores_nothing(bool isGateway)
    {
        await using RunningServer server = await StartAsync(isGateway);
        await server.CallAsync<CreateCacheResponse>(Control("CreateCache"), new CreateCacheRequest { Name = "orders" }, As("admin"));
        SetBatchRequest batch = new() { Items = { Set("cart:1"), Set("other") } };
        Assert.Equal(StatusCode.PermissionDenied, (await RefusedAsync(server, "/cache_client.Scs/SetBatch", batch, "cart", "orders")).Code);
        await using PipelineClient client = await PipelineClient.OpenAsync(server, As("cart", "orders"));
        await client.SendAsync(new Operation { Id = 1, SetBatch = batch }, new Operation { Id = 2, Get = Get("cart:1") });
        Dictionary<uint, Result> results = await client.ReadResultsAsync(2);
        Assert.Equal((uint)StatusCode.PermissionDenied, (uint)results[1].Status.Code);
        Assert.Equal(CacheResult.Miss, results[2].Get.Result);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Scan_returns_only_readable_keys(bool isGateway)
    {
        await using RunningServer server = await StartAsync(isGateway);
        await server.CallAsync<CreateCacheResponse>(Control("CreateCache"), new CreateCacheRequest { Name = "orders" }, As("admin"));
        foreach (string key in (string[])["cart:1", "cart:2", "car", "secret"])
        {
            await server.CallAsync<SetResponse>("/cache_client.Scs/Set", Set(key), As("admin", "orders"));
        }

        Assert.Equal(["cart:1", "cart:2"], await ScanAsync(server, "", "cart"));
        Assert.Equal(["cart:2"], await ScanAsync(server, "cart:2", "cart"));
        Assert.Equal(["car", "cart:1", "cart:2", "secret"], await ScanAsync(server, "", "reader"));
        Assert.Equal(
            StatusCode.PermissionDenied,
            (await RefusedAsync(server, "/larder.v1.Extras/ScanKeys", new ScanKeysRequest { Prefix = CallHarness.Bytes("s") }, "cart", "orders")).Code);
    }

    [Fact]
    public async Task TAG_8_tag_removal_requires_write_access_to_every_key()
    {
        await using RunningServer server = await StartAsync(isGateway: false);
        await server.CallAsync<CreateCacheResponse>(Control("CreateCache"), new CreateCacheRequest { Name = "orders" }, As("admin"));
        RemoveByTagRequest remove = new() { Tags = { CallHarness.Bytes("t") } };
        Assert.Equal(StatusCode.PermissionDenied, (await RefusedAsync(server, "/larder.v1.Extras/RemoveByTag", remove, "cart", "orders")).Code);
        Assert.Equal(StatusCode.PermissionDenied, (await RefusedAsync(server, "/larder.v1.Extras/RemoveByTag", remove, "reader", "orders")).Code);
        await server.CallAsync<RemoveByTagResponse>("/larder.v1.Extras/RemoveByTag", remove, As("admin", "orders"));
        GetOrLeaseRequest ask = new() { Key = CallHarness.Bytes("other"), LeaseMs = 1 };
        Assert.Equal(StatusCode.PermissionDenied, (await RefusedAsync(server, "/larder.v1.Extras/GetOrLease", ask, "cart", "orders")).Code);
        ask.Key = CallHarness.Bytes("cart:1");
        Assert.NotNull((await server.CallAsync<GetOrLeaseResponse>("/larder.v1.Extras/GetOrLease", ask, As("cart", "orders"))).Lease);
    }

    [Fact]
    public async Task Hostile_tokens_are_rejected_and_never_echoed()
    {
        await using RunningServer server = await StartAsync(isGateway: false);
        string good = TokensOnDisk.SecretOf("admin");
        string[] hostile =
        [
            "", "Bearer " + good, good + "x", good[..^1], good.ToUpperInvariant(), new string('x', 8_000), TokensOnDisk.DigestOf(good),
        ];
        foreach (string token in hostile)
        {
            Status refused = await RefusedAsync(server, "/cache_client.Scs/Get", Get("k"), RunningServer.CacheHeaders().With("authorization", token));
            Assert.Equal(StatusCode.Unauthenticated, refused.Code);
            Assert.DoesNotContain(good, refused.Message, StringComparison.OrdinalIgnoreCase);
        }

        // If a header is sent twice, its values are joined with a comma. The result is an invalid token, although each value is valid.
        Status twice = await RefusedAsync(
            server,
            "/cache_client.Scs/Get",
            Get("k"),
            RunningServer.CacheHeaders().With("authorization", good).With("authorization", good));
        Assert.Equal(StatusCode.Unauthenticated, twice.Code);
    }

    [Fact]
    public async Task Token_of_1_MB_is_rejected_without_affecting_other_callers()
    {
        await using RunningServer server = await StartAsync(isGateway: false);
        await using RpcChannel hostile = StallTolerantChannel.To(server.Server.Endpoint);
        RpcMethod<byte[], byte[]> method = new("/cache_client.Scs/Get", new RawCodec(), new RawCodec());
        await Assert.ThrowsAnyAsync<Exception>(async () => await hostile.UnaryAsync(
            method,
            Get("k").ToByteArray(),
            RunningServer.CacheHeaders().With("authorization", new string('x', 1 << 20)),
            RunningServer.Patience,
            CancellationToken.None));
        Assert.Equal(CacheResult.Miss, (await server.CallAsync<GetResponse>("/cache_client.Scs/Get", Get("k"), As("admin"))).Result);
    }

    [Fact]
    public async Task Console_requires_token_with_access_to_all_caches()
    {
        await using RunningServer server = await StartAsync(isGateway: false);
        Assert.Equal(HttpStatusCode.OK, await ConsoleAsync(server, "/metrics", "reader"));
        Assert.Equal(HttpStatusCode.OK, await ConsoleAsync(server, "/api/overview", "admin"));
        Assert.Equal(HttpStatusCode.OK, await ConsoleAsync(server, "/api/monitor", "admin"));
        // The monitor shows keys, so it requires an admin token.
        Assert.Equal(HttpStatusCode.Forbidden, await ConsoleAsync(server, "/api/monitor", "reader"));
        foreach (string? token in (string?[])["ops", "cart", "expired", "unknown", null])
        {
            Assert.Equal(HttpStatusCode.Unauthorized, await ConsoleAsync(server, "/metrics", token));
            Assert.Equal(HttpStatusCode.Unauthorized, await ConsoleAsync(server, "/api/overview", token));
        }

        Assert.Equal(HttpStatusCode.OK, await ConsoleAsync(server, "/health", null));
    }

    [Fact]
    public async Task Health_is_public_but_unknown_RPCs_require_authentication()
    {
        await using RunningServer server = await StartAsync(isGateway: false);
        await server.CallAsync<PingResponse>("/grpc.health.v1.Health/Check", new PingRequest());
        Assert.Equal(StatusCode.Unauthenticated, (await RefusedAsync(server, "/nowhere.Nothing/Call", Get("k"), "unknown")).Code);
        Assert.Equal(StatusCode.Unimplemented, (await RefusedAsync(server, "/nowhere.Nothing/Call", Get("k"), "cart")).Code);
    }

    [Theory]
    [InlineData("token", null)]
    [InlineData(null, "a path")]
    public void Single_token_and_token_file_cannot_be_combined(string? token, string? path) => Assert.Contains(
        "--tokens cannot be combined",
        Assert.Throws<ServerOptionsException>((new ServerOptions { TokensPath = "tokens", Token = token, TokenPath = path }).Validate).Message,
        StringComparison.Ordinal);

    [Fact]
    public void Token_file_is_sufficient_for_non_loopback_host() =>
        new ServerOptions { TokensPath = "tokens", Host = IPAddress.Any, ConsoleHost = IPAddress.Any }.Validate();

    private static string Control(string rpc) => $"/control_client.ScsControl/{rpc}";

    private static GetRequest Get(string key) => new() { Key = CallHarness.Bytes(key) };

    private static SetRequest Set(string key) => new() { Key = CallHarness.Bytes(key), Value = CallHarness.Bytes("v"), TtlMs = 60_000 };

    private static RpcHeaders As(string id, string cache = RunningServer.Cache) =>
        RunningServer.CacheHeaders(cache).With("authorization", TokensOnDisk.SecretOf(id));

    private static async Task<IEnumerable<string>> ListAsync(RunningServer server, string id) =>
        (await server.CallAsync<ListCachesResponse>(Control("ListCaches"), new ListCachesRequest(), As(id))).Caches.Select(static cache => cache.Name).Order();

    private static async Task<IEnumerable<string>> ScanAsync(RunningServer server, string prefix, string id)
    {
        List<string> keys = [];
        ByteString cursor = ByteString.Empty;
        // The number of pages is limited, so that an endless scan fails the test. Four keys fit into a few pages.
        for (int page = 0; page < 10_000; page++)
        {
            ScanKeysRequest request = new() { Prefix = ByteString.CopyFromUtf8(prefix), Cursor = cursor };
            ScanKeysResponse answer = await server.CallAsync<ScanKeysResponse>("/larder.v1.Extras/ScanKeys", request, As(id, "orders"));
            keys.AddRange(answer.Keys.Select(static key => key.Key.ToStringUtf8()));
            cursor = answer.Cursor;
            if (cursor.IsEmpty)
            {
                return keys.Distinct().Order(StringComparer.Ordinal);
            }
        }

        throw new InvalidOperationException("the scan does not end");
    }

    private static Task<Status> RefusedAsync(RunningServer server, string path, IMessage request, string id, string cache = RunningServer.Cache) =>
        RefusedAsync(server, path, request, As(id, cache));

    private static async Task<Status> RefusedAsync(RunningServer server, string path, IMessage request, RpcHeaders headers) =>
        (await Assert.ThrowsAsync<RpcException>(async () => await server.CallAsync<PingResponse>(path, request, headers))).Status;

    private static async Task<HttpStatusCode> ConsoleAsync(RunningServer server, string path, string? id)
    {
        using HttpClient http = new();
        using HttpRequestMessage request = new(HttpMethod.Get, new Uri(server.Server.ConsoleEndpoint, path));
        request.Headers.Authorization = id is null ? null : new AuthenticationHeaderValue("Bearer", TokensOnDisk.SecretOf(id));
        using HttpResponseMessage answer = await http.SendAsync(request);
        return answer.StatusCode;
    }

    private async Task<RunningServer> StartAsync(bool isGateway, string asWho = "admin")
    {
        RunningServer server = await RunningServer.StartAsync(
            options => isGateway ? options with { TokensPath = _tokens.Path, Store = _redis.Url } : options with { TokensPath = _tokens.Path });
        await Eventually.UntilAsync(() => IsReadyAsync(server, asWho), "the server reaches its store");
        return server;
    }

    private static async Task<bool> IsReadyAsync(RunningServer server, string id)
    {
        try
        {
            await server.CallAsync<GetResponse>("/cache_client.Scs/Get", Get("any"), As(id));
            return true;
        }
        catch (RpcException error) when (error.Status.Code == StatusCode.Unavailable)
        {
            return false;
        }
    }
}
