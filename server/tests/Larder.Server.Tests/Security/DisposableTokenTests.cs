using System.Globalization;
using System.Text.Json.Nodes;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Faults;
using Larder.Server.Tests.Fleet;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Security;

/// <summary>Tokens that a caller asks for, and what they may do on either transport (AUTH-18 to AUTH-22).</summary>
#pragma warning disable CA1001 // Disposed of by DisposeAsync.
public sealed class DisposableTokenTests : IAsyncLifetime
#pragma warning restore CA1001
{
    private readonly TokensOnDisk _tokens = new(
        TokensOnDisk.Entry("web", "readwrite", RunningServer.Cache),
        TokensOnDisk.Entry("cart", "read", RunningServer.Cache, "cart:"),
        TokensOnDisk.Entry("ops", "admin", "*"));

    private RunningServer _server = null!;

    private string Keys => _tokens.Path + ".key";

    public async Task InitializeAsync()
    {
        TokenKeys.AddTo(Keys);
        _server = await StartAsync();
    }

    public async Task DisposeAsync()
    {
        await _server.DisposeAsync();
        _tokens.Dispose();
    }

    [Fact]
    public async Task A_token_does_what_it_was_given_for_over_both_transports_and_nothing_else()
    {
        string key = (await GiveAsync("web", Of(Scope(PermissionRole.ReadOnly, prefix: "user:7")))).ApiKey;
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), await GetAsync(key, "user:7:name"));
        Assert.Equal((StatusCode.PermissionDenied, StatusCode.PermissionDenied), await GetAsync(key, "user:8"));
        Assert.Equal(StatusCode.PermissionDenied, await SetAsync(key, "user:7:name"));
        Assert.Equal(StatusCode.PermissionDenied, await SetAsync(key, "user:7:name", "other"));
        string one = (await GiveAsync("web", Of(Scope(PermissionRole.WriteOnly, key: "exact")))).ApiKey;
        Assert.Equal(StatusCode.Ok, await SetAsync(one, "exact"));
        Assert.Equal(StatusCode.PermissionDenied, await SetAsync(one, "exactly"));
        Assert.Equal((StatusCode.PermissionDenied, StatusCode.PermissionDenied), await GetAsync(one, "exact"));
    }

    [Fact]
    public async Task Nobody_gives_more_than_they_have()
    {
        Permissions everything = new() { SuperUser = SuperUserPermissions.SuperUser };
        Assert.Equal(StatusCode.PermissionDenied, await FailAsync("web", everything));
        Assert.Equal(StatusCode.PermissionDenied, await FailAsync("web", Of(Scope(PermissionRole.ReadWrite, cache: "other"))));
        Assert.Equal(StatusCode.PermissionDenied, await FailAsync("web", Of(Scope(PermissionRole.ReadOnly, cache: null))));
        Assert.Equal(StatusCode.PermissionDenied, await FailAsync("cart", Of(Scope(PermissionRole.ReadOnly))));
        Assert.Equal(StatusCode.PermissionDenied, await FailAsync("cart", Of(Scope(PermissionRole.ReadOnly, prefix: "car"))));
        Assert.Equal(StatusCode.PermissionDenied, await FailAsync("cart", Of(Scope(PermissionRole.WriteOnly, prefix: "cart:1"))));
        Assert.Equal(StatusCode.PermissionDenied, await FailAsync("web", Of(Scope(PermissionRole.ReadOnly), Scope(PermissionRole.ReadOnly, cache: "other"))));
        Assert.Equal(StatusCode.PermissionDenied, await FailAsync("web", Of(Topic(PermissionRole.ReadOnly))));
        Assert.NotEmpty((await GiveAsync("cart", Of(Scope(PermissionRole.ReadOnly, prefix: "cart:1")))).ApiKey);
        string super = (await GiveAsync("ops", everything)).ApiKey;
        Assert.Equal(StatusCode.Ok, await SetAsync(super, "any"));
        JsonArray lines = JsonNode.Parse(await AuditAsync())!["entries"]!.AsArray();
        string[] noted = [.. lines.Select(static line => $"{line!["kind"]} {line["who"]} {line["what"]} {line["cache"]}")];
        Assert.Contains($"Denied web {TokenService.Path} other", noted);
        Assert.Contains($"TokenGiven cart {TokenService.Path} ", noted);
    }

    [Fact]
    public async Task A_disposable_token_gives_no_others()
    {
        string key = (await GiveAsync("web", Of(Scope(PermissionRole.ReadWrite)))).ApiKey;
        GenerateDisposableTokenRequest again = Request("web", Of(Scope(PermissionRole.ReadOnly)), 60);
        again.AuthToken = key;
        Assert.Equal(StatusCode.PermissionDenied, await FailAsync(again));
    }

    [Theory]
    [InlineData(0u)]
    [InlineData(86_401u)]
    [InlineData(864_000u)]
    [InlineData(uint.MaxValue)]
    public async Task A_token_holds_for_a_second_at_least_and_a_day_at_most(uint seconds)
    {
        Assert.Equal(StatusCode.InvalidArgument, await FailAsync(Request("web", Of(Scope(PermissionRole.ReadWrite)), seconds)));
        GenerateDisposableTokenRequest none = Request("web", Of(Scope(PermissionRole.ReadWrite)), 60);
        none.Expires = null;
        Assert.Equal(StatusCode.InvalidArgument, await FailAsync(none));
        long before = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        GenerateDisposableTokenResponse day = await GiveAsync("web", Of(Scope(PermissionRole.ReadWrite)), 86_400);
        Assert.InRange((long)day.ValidUntil, before + 86_400, DateTimeOffset.UtcNow.ToUnixTimeSeconds() + 86_400);
        Assert.Equal(_server.Server.Endpoint.Authority, day.Endpoint);
    }

    [Theory]
    [InlineData(64, true)]
    [InlineData(65, false)]
    [InlineData(640, false)]
    [InlineData(1_000_000, false)]
    public async Task A_tokens_id_has_sixty_four_characters_at_most(int characters, bool isTaken)
    {
        GenerateDisposableTokenRequest request = Request("web", Of(Scope(PermissionRole.ReadWrite)), 60);
        request.TokenId = new string('\u00e9', characters);
        Assert.Equal(isTaken ? StatusCode.Ok : StatusCode.InvalidArgument, await FailAsync(request));
        request.TokenId = "a\nb";
        Assert.Equal(StatusCode.InvalidArgument, await FailAsync(request));
    }

    public static TheoryData<string, byte[]> Contradictions() => new()
    {
        { "none", [] },
        { "nothing explicit", new Permissions { Explicit = new ExplicitPermissions() }.ToByteArray() },
        { "an empty permission", Of(new PermissionsType()).ToByteArray() },
        { "no role", Of(Scope(PermissionRole.PermitNone)).ToByteArray() },
        { "a role that there is not", Of(Scope((PermissionRole)4)).ToByteArray() },
        { "no cache", Of(new PermissionsType { CachePermissions = new CachePermissions { Role = PermissionRole.ReadOnly } }).ToByteArray() },
        { "a cache without a name", Of(Scope(PermissionRole.ReadOnly, cache: "")).ToByteArray() },
        { "a cache that is called as all are", Of(Scope(PermissionRole.ReadOnly, cache: "*")).ToByteArray() },
        { "a name that no cache has", Of(Scope(PermissionRole.ReadOnly, cache: new string('a', 256))).ToByteArray() },
        { "an empty prefix", Of(Scope(PermissionRole.ReadOnly, prefix: "")).ToByteArray() },
        { "an empty key", Of(Scope(PermissionRole.ReadOnly, key: "")).ToByteArray() },
        { "both kinds", [0x08, 0, .. Of(Scope(PermissionRole.ReadOnly)).ToByteArray()] },
        { "two caches", Raw([0x08, 2, 0x12, 0, 0x1A, 3, 0x0A, 1, (byte)'a']) },
        { "two roles", Raw([0x08, 2, 0x08, 1, 0x12, 0]) },
        { "all items and some", Raw([0x08, 2, 0x12, 0, 0x22, 0, 0x2A, 3, 0x0A, 1, (byte)'k']) },
        { "a key and a prefix", Raw([0x08, 2, 0x12, 0, 0x2A, 6, 0x0A, 1, (byte)'k', 0x12, 1, (byte)'k']) },
        { "two keys", Raw([0x08, 2, 0x12, 0, 0x2A, 6, 0x0A, 1, (byte)'k', 0x0A, 1, (byte)'k']) },
        { "a selector without anything", Raw([0x08, 2, 0x12, 0, 0x2A, 0]) },
        { "functions", [0x12, 4, 0x0A, 2, 0x1A, 0] },
        { "caches and topics", [0x12, 14, 0x0A, 12, 0x0A, 4, 0x08, 2, 0x12, 0, 0x12, 4, 0x08, 2, 0x12, 0] },
        { "a length beyond the end", [0x12, 0x7F] },
        { "a group", [0x1B] },
        { "a cache's name that is no text", Raw([0x08, 2, 0x1A, 3, 0x0A, 1, 0xFF]) },
    };

    [Theory]
    [MemberData(nameof(Contradictions))]
    public async Task Permissions_that_are_empty_or_contradict_themselves_are_an_invalid_argument(string what, byte[] permissions)
    {
        GenerateDisposableTokenRequest request = Request("ops", null, 60);
        byte[] message = [.. request.ToByteArray(), .. Field(3, permissions)];
        Assert.True(await RawAsync(message) == StatusCode.InvalidArgument, what);
    }

    [Fact]
    public async Task As_many_permissions_as_a_token_has_room_for_are_given_and_no_more()
    {
        Assert.Equal(StatusCode.Ok, await FailAsync("ops", Many(100)));
        Assert.Equal(StatusCode.InvalidArgument, await FailAsync("ops", Many(1_000)));
        Assert.Equal(StatusCode.InvalidArgument, await FailAsync("ops", Many(10_000)));
        // Fields that nobody knows are passed over, nested as deep as they like, and count by their bytes.
        byte[] nested = [];
        for (int depth = 0; depth < 100; depth++)
        {
            nested = Field(99, nested);
        }

        byte[] request = [.. Request("ops", Of(Scope(PermissionRole.ReadOnly)), 60).ToByteArray(), .. nested];
        Assert.Equal(StatusCode.Ok, await RawAsync(request));
    }

    [Fact]
    public async Task Who_asks_is_known_by_the_request_or_the_metadata_and_strangers_are_counted_at_the_door()
    {
        GenerateDisposableTokenRequest request = Request("web", Of(Scope(PermissionRole.ReadOnly)), 60);
        request.AuthToken = "";
        Assert.Equal(StatusCode.Unauthenticated, await FailAsync(request));
        Assert.Equal(StatusCode.Ok, await RawAsync(request.ToByteArray(), TokensOnDisk.SecretOf("web")));
        request.AuthToken = "wrong";
        Assert.Equal(StatusCode.Unauthenticated, await RawAsync(request.ToByteArray(), TokensOnDisk.SecretOf("web")));
        request.AuthToken = new string('x', 1_000_000);
        Assert.Equal(StatusCode.Unauthenticated, await FailAsync(request));
        await using RpcChannel hostile = PatientChannel.To(_server.Server.Endpoint);
        request.AuthToken = "wrong";
        for (int failure = 0; failure < Door.MaxFailures; failure++)
        {
            Assert.Equal(StatusCode.Unauthenticated, await RawAsync(request.ToByteArray(), channel: hostile));
        }

        // No connection was made known by asking: the door is shut to them, unless this machine took longer than that.
        string[] metrics = (await ReadAsync("/metrics")).Split('\n');
        int Read(string name) =>
            int.Parse(metrics.Single(line => line.StartsWith(name + ' ', StringComparison.Ordinal))[name.Length..], CultureInfo.InvariantCulture);
        int failures = Read("larder_authentication_failures_total");
        Assert.InRange(failures, Door.MaxFailures, Door.MaxFailures + 3);
        Assert.Equal(Door.MaxFailures + 3, failures + Read("larder_door_refusals_total"));
    }

    [Fact]
    public async Task A_token_ends_by_the_wall_clock_under_a_stream_that_waits()
    {
        await using RunningServer server = await StartAsync();
        string key = (await GiveAsync("web", Of(Scope(PermissionRole.ReadWrite)), 1)).ApiKey;
        try
        {
            await using PipelineClient client = await OpenAsync(server, key);
            await AssertEndedAsync(client);
        }
        catch (RpcException late)
        {
            // This machine took more than the second.
            Assert.Equal(StatusCode.Unauthenticated, late.Status.Code);
        }

        await Until.TrueAsync(async () => await GetAsync(key, "k", server) == (StatusCode.Unauthenticated, StatusCode.Unauthenticated), "it has ended");
    }

    [Fact]
    public async Task Rights_that_are_taken_from_the_issuer_are_taken_from_its_tokens_and_its_end_is_theirs()
    {
        string key = (await GiveAsync("web", Of(Scope(PermissionRole.ReadWrite)))).ApiKey;
        await using PipelineClient client = await OpenAsync(_server, key);
        Assert.Equal(StatusCode.Ok, await SetAsync(key, "k"));
        _tokens.Write(TokensOnDisk.Entry("web", "read", RunningServer.Cache, "k"), TokensOnDisk.Entry("ops", "admin", "*"));
        Assert.True(_server.Server.Reload());
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), await GetAsync(key, "k1"));
        Assert.Equal((StatusCode.PermissionDenied, StatusCode.PermissionDenied), await GetAsync(key, "z"));
        Assert.Equal(StatusCode.PermissionDenied, await SetAsync(key, "k"));
        _tokens.Write(TokensOnDisk.Entry("ops", "admin", "*"));
        Assert.True(_server.Server.Reload());
        await AssertEndedAsync(client);
        Assert.Equal((StatusCode.Unauthenticated, StatusCode.Unauthenticated), await GetAsync(key, "k"));
    }

    [Fact]
    public async Task Fronts_that_share_the_files_take_each_others_tokens_until_the_key_is_gone()
    {
        await using RunningServer other = await StartAsync();
        string key = (await GiveAsync("web", Of(Scope(PermissionRole.ReadWrite)))).ApiKey;
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), await GetAsync(key, "k", other));
        TokenKeys.AddTo(Keys);
        Assert.True(other.Server.Reload());
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), await GetAsync(key, "k", other));
        await File.WriteAllTextAsync(Keys, "broken");
        Assert.False(other.Server.Reload());
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), await GetAsync(key, "k", other));
        File.Delete(Keys);
        TokenKeys.AddTo(Keys);
        Assert.True(other.Server.Reload());
        Assert.Equal((StatusCode.Unauthenticated, StatusCode.Unauthenticated), await GetAsync(key, "k", other));
    }

    [Fact]
    public async Task A_server_without_a_key_gives_none_and_says_so_to_who_is_known()
    {
        await using RunningServer keyless = await RunningServer.StartAsync(options => options with { TokensPath = _tokens.Path });
        byte[] request = Request("web", Of(Scope(PermissionRole.ReadOnly)), 60).ToByteArray();
        Assert.Equal(StatusCode.Unimplemented, await RawAsync(request, channel: keyless.Channel));
        Assert.Equal(StatusCode.Unauthenticated, await RawAsync([], channel: keyless.Channel));
        await using RunningServer open = await RunningServer.StartAsync();
        Assert.Equal(StatusCode.Unimplemented, await RawAsync([], channel: open.Channel));
        Assert.Throws<ServerOptionsException>(() => new ServerOptions { TokenKeyPath = Keys }.Validate());
    }

    private Task<RunningServer> StartAsync() => RunningServer.StartAsync(options => options with { TokensPath = _tokens.Path, TokenKeyPath = Keys });

    private static Permissions Many(int count) =>
        Of([.. Enumerable.Range(0, count).Select(static number => Scope(PermissionRole.ReadOnly, prefix: $"{number:D4}"))]);

    private static Permissions Of(params PermissionsType[] permissions)
    {
        ExplicitPermissions list = new();
        list.Permissions.AddRange(permissions);
        return new Permissions { Explicit = list };
    }

    private static PermissionsType Scope(PermissionRole role, string? cache = RunningServer.Cache, string? key = null, string? prefix = null)
    {
        CachePermissions scope = new() { Role = role };
        if (cache is null)
        {
            scope.AllCaches = new PermitAll();
        }
        else
        {
            scope.CacheSelector = new CacheSelector { CacheName = cache };
        }

        if (key is not null)
        {
            scope.ItemSelector = new CacheItemSelector { Key = CallHarness.Bytes(key) };
        }
        else if (prefix is not null)
        {
            scope.ItemSelector = new CacheItemSelector { KeyPrefix = CallHarness.Bytes(prefix) };
        }

        return new PermissionsType { CachePermissions = scope };
    }

    private static PermissionsType Topic(PermissionRole role) => new()
    {
        TopicPermissions = new TopicPermissions
        {
            Role = role,
            CacheSelector = new CacheSelector { CacheName = RunningServer.Cache },
            AllTopics = new PermitAll(),
        },
    };

    // Permissions of one cache permission, whose bytes are given.
    private static byte[] Raw(byte[] scope) => Field(2, Field(1, Field(1, scope)));

    private static byte[] Field(int number, byte[] content)
    {
        using MemoryStream bytes = new();
        using CodedOutputStream coded = new(bytes);
        coded.WriteTag(number, WireFormat.WireType.LengthDelimited);
        coded.WriteBytes(ByteString.CopyFrom(content));
        coded.Flush();
        return bytes.ToArray();
    }

    private static GenerateDisposableTokenRequest Request(string issuer, Permissions? permissions, uint seconds) => new()
    {
        AuthToken = TokensOnDisk.SecretOf(issuer),
        Expires = new DisposableTokenExpires { ValidForSeconds = seconds },
        Permissions = permissions,
    };

    private async Task<GenerateDisposableTokenResponse> GiveAsync(string issuer, Permissions permissions, uint seconds = 600) =>
        await _server.CallAsync<GenerateDisposableTokenResponse>(TokenService.Path, Request(issuer, permissions, seconds), new RpcHeaders());

    private Task<StatusCode> FailAsync(string issuer, Permissions permissions) => FailAsync(Request(issuer, permissions, 60));

    private Task<StatusCode> FailAsync(GenerateDisposableTokenRequest request) => RawAsync(request.ToByteArray());

    private async Task<StatusCode> RawAsync(byte[] request, string? token = null, RpcChannel? channel = null)
    {
        try
        {
            RpcMethod<byte[], byte[]> method = new(TokenService.Path, new RawCodec(), new RawCodec());
            RpcHeaders headers = token is null ? new RpcHeaders() : new RpcHeaders(new KeyValuePair<string, string>("authorization", token));
            await (channel ?? _server.Channel).UnaryAsync(method, request, headers, RunningServer.Patience, CancellationToken.None);
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }

    private async Task<(StatusCode Unary, StatusCode Pipelined)> GetAsync(string token, string key, RunningServer? server = null)
    {
        GetRequest request = new() { Key = CallHarness.Bytes(key) };
        StatusCode unary = await StatusAsync(async () => await (server ?? _server).CallAsync<GetResponse>(
            "/cache_client.Scs/Get",
            request,
            RunningServer.CacheHeaders().With("authorization", token)));
        StatusCode pipelined = StatusCode.Ok;
        StatusCode opened = await StatusAsync(async () =>
        {
            await using PipelineClient client = await OpenAsync(server ?? _server, token);
            Result result = await client.AskAsync(new Operation { Id = 1, Get = request });
            pipelined = result.OutcomeCase == Result.OutcomeOneofCase.Status ? (StatusCode)result.Status.Code : StatusCode.Ok;
        });
        return (unary, opened == StatusCode.Ok ? pipelined : opened);
    }

    private Task<StatusCode> SetAsync(string token, string key, string cache = RunningServer.Cache) =>
        StatusAsync(async () => await _server.CallAsync<SetResponse>(
            "/cache_client.Scs/Set",
            new SetRequest { Key = CallHarness.Bytes(key), Value = CallHarness.Bytes("v"), TtlMs = 60_000 },
            RunningServer.CacheHeaders(cache).With("authorization", token)));

    private static async Task<StatusCode> StatusAsync(Func<Task> call)
    {
        try
        {
            await call();
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }

    private static Task<PipelineClient> OpenAsync(RunningServer server, string token) =>
        PipelineClient.OpenAsync(server, RunningServer.CacheHeaders().With("authorization", token));

    private static async Task AssertEndedAsync(PipelineClient client)
    {
        RpcException ended = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            while (await client.ReadAsync() is not null)
            {
            }
        });
        Assert.Equal(StatusCode.Unauthenticated, ended.Status.Code);
    }

    private Task<string> AuditAsync() => ReadAsync("/api/audit");

    private async Task<string> ReadAsync(string path)
    {
        using HttpClient http = new();
        http.DefaultRequestHeaders.Authorization = new("Bearer", TokensOnDisk.SecretOf("ops"));
        return await http.GetStringAsync(new Uri(_server.Server.ConsoleEndpoint, path));
    }
}
