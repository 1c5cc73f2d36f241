using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;
using static Larder.Server.Tests.Security.PermissionsOf;

namespace Larder.Server.Tests.Security;

/// <summary>Tests of requests for disposable tokens at their limits, and of requests that are rejected (AUTH-20).</summary>
public sealed class DisposableRequestTests : DisposableTokenServer
{
    [Theory]
    [InlineData(0u)]
    [InlineData(86_401u)]
    [InlineData(864_000u)]
    [InlineData(uint.MaxValue)]
    public async Task Token_lifetime_must_be_one_second_to_one_day(uint seconds)
    {
        Assert.Equal(StatusCode.InvalidArgument, await FailAsync(Request("web", Of(Scope(PermissionRole.ReadWrite)), seconds)));
        GenerateDisposableTokenRequest none = Request("web", Of(Scope(PermissionRole.ReadWrite)), 60);
        none.Expires = null;
        Assert.Equal(StatusCode.InvalidArgument, await FailAsync(none));
        long before = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        GenerateDisposableTokenResponse day = await IssueAsync("web", Of(Scope(PermissionRole.ReadWrite)), 86_400);
        Assert.InRange((long)day.ValidUntil, before + 86_400, DateTimeOffset.UtcNow.ToUnixTimeSeconds() + 86_400);
        Assert.Equal(Server.Server.Endpoint.Authority, day.Endpoint);
    }

    [Theory]
    [InlineData(64, true)]
    [InlineData(65, false)]
    [InlineData(640, false)]
    [InlineData(3_000, false)]
    public async Task Token_id_has_at_most_64_characters(int characters, bool isTaken)
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
        { "functions alone", [0x12, 4, 0x0A, 2, 0x1A, 0] },
        { "caches and topics", [0x12, 14, 0x0A, 12, 0x0A, 4, 0x08, 2, 0x12, 0, 0x12, 4, 0x08, 2, 0x12, 0] },
        { "a length beyond the end", [0x12, 0x7F] },
        { "a group", [0x1B] },
        { "a cache's name that is no text", Raw([0x08, 2, 0x1A, 3, 0x0A, 1, 0xFF]) },
    };

    [Theory]
    [MemberData(nameof(Contradictions))]
    public async Task Empty_or_contradictory_permissions_are_rejected(string what, byte[] permissions)
    {
        GenerateDisposableTokenRequest request = Request("ops", null, 60);
        byte[] message = [.. request.ToByteArray(), .. Field(3, permissions)];
        Assert.True(await RawAsync(message) == StatusCode.InvalidArgument, what);
    }

    [Fact]
    public async Task Function_permissions_are_ignored_when_cache_permissions_are_present()
    {
        byte[] functions = Field(1, Field(3, [0x08, 1, 0x12, 0, 0x22, 0]));
        byte[] caches = Of(Scope(PermissionRole.ReadWrite)).Explicit.ToByteArray();
        foreach (byte[] permissions in (byte[][])[[.. functions, .. caches], [.. caches, .. functions]])
        {
            byte[] message = [.. Request("web", null, 60).ToByteArray(), .. Field(3, Field(2, permissions))];
            Assert.Equal(StatusCode.Ok, await RawAsync(message));
        }
    }

    [Theory]
    [InlineData("example.com")]
    [InlineData("cache.example.com:443")]
    [InlineData("10.1.2.3:80")]
    [InlineData("[::1]:9000")]
    public async Task Disposable_token_response_contains_advertised_address_as_endpoint(string advertised)
    {
        await using RunningServer server = await StartAsync(options => options with { Advertised = advertised });
        GenerateDisposableTokenResponse given = await IssueAsync("web", Of(Scope(PermissionRole.ReadWrite)), 60, server);
        Assert.Equal(advertised, given.Endpoint);
    }

    [Fact]
    public async Task Too_many_permissions_are_rejected()
    {
        Assert.Equal(StatusCode.Ok, await FailAsync("ops", Many(100)));
        Assert.Equal(StatusCode.InvalidArgument, await FailAsync("ops", Many(300)));
        // This request is larger than the largest accepted request.
        Assert.Equal(StatusCode.ResourceExhausted, await FailAsync("ops", Many(1_000)));
        Assert.Equal(StatusCode.ResourceExhausted, await FailAsync("ops", Many(10_000)));
        // Unknown fields are skipped at any nesting depth. Their bytes count towards the size limit.
        byte[] nested = [];
        for (int depth = 0; depth < 100; depth++)
        {
            nested = Field(99, nested);
        }

        byte[] request = [.. Request("ops", Of(Scope(PermissionRole.ReadOnly)), 60).ToByteArray(), .. nested];
        Assert.Equal(StatusCode.Ok, await RawAsync(request));
    }
}
