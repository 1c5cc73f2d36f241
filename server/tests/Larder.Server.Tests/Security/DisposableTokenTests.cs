using System.Globalization;
using System.Text.Json.Nodes;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Server.Tests.Faults;
using Larder.Wire;
using static Larder.Server.Tests.Security.PermissionsOf;

namespace Larder.Server.Tests.Security;

/// <summary>
/// Tests which callers may request disposable tokens, what the tokens contain, and what they permit over each transport (AUTH-18, AUTH-19, AUTH-21, AUTH-22).
/// </summary>
public sealed class DisposableTokenTests : DisposableTokenServer
{
    [Fact]
    public async Task Disposable_token_allows_only_granted_access_on_both_transports()
    {
        string key = (await IssueAsync("web", Of(Scope(PermissionRole.ReadOnly, prefix: "user:7")))).ApiKey;
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), await GetAsync(key, "user:7:name"));
        Assert.Equal((StatusCode.PermissionDenied, StatusCode.PermissionDenied), await GetAsync(key, "user:8"));
        Assert.Equal(StatusCode.PermissionDenied, await SetAsync(key, "user:7:name"));
        Assert.Equal(StatusCode.PermissionDenied, await SetAsync(key, "user:7:name", "other"));
        string one = (await IssueAsync("web", Of(Scope(PermissionRole.WriteOnly, key: "exact")))).ApiKey;
        Assert.Equal(StatusCode.Ok, await SetAsync(one, "exact"));
        Assert.Equal(StatusCode.PermissionDenied, await SetAsync(one, "exactly"));
        Assert.Equal((StatusCode.PermissionDenied, StatusCode.PermissionDenied), await GetAsync(one, "exact"));
    }

    [Fact]
    public async Task Token_cannot_exceed_the_rights_of_its_issuer()
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
        Assert.NotEmpty((await IssueAsync("cart", Of(Scope(PermissionRole.ReadOnly, prefix: "cart:1")))).ApiKey);
        string super = (await IssueAsync("ops", everything)).ApiKey;
        Assert.Equal(StatusCode.Ok, await SetAsync(super, "any"));
        JsonArray lines = JsonNode.Parse(await ReadAsync("/api/audit"))!["entries"]!.AsArray();
        string[] noted = [.. lines.Select(static line => $"{line!["kind"]} {line["who"]} {line["what"]} {line["cache"]}")];
        Assert.Contains($"Denied web {TokenService.Path} other", noted);
        Assert.Contains($"TokenGiven cart {TokenService.Path} ", noted);
    }

    [Fact]
    public async Task Disposable_token_cannot_issue_tokens()
    {
        string key = (await IssueAsync("web", Of(Scope(PermissionRole.ReadWrite)))).ApiKey;
        GenerateDisposableTokenRequest again = Request("web", Of(Scope(PermissionRole.ReadOnly)), 60);
        again.AuthToken = key;
        Assert.Equal(StatusCode.PermissionDenied, await FailAsync(again));
    }

    [Fact]
    public async Task Issuer_is_rate_limited_and_authenticated_by_request_or_metadata()
    {
        GenerateDisposableTokenRequest request = Request("web", Of(Scope(PermissionRole.ReadOnly)), 60);
        request.AuthToken = "";
        Assert.Equal(StatusCode.Unauthenticated, await FailAsync(request));
        Assert.Equal(StatusCode.Ok, await RawAsync(request.ToByteArray(), TokensOnDisk.SecretOf("web")));
        request.AuthToken = "wrong";
        Assert.Equal(StatusCode.Unauthenticated, await RawAsync(request.ToByteArray(), TokensOnDisk.SecretOf("web")));
        request.AuthToken = new string('x', 7_000);
        Assert.Equal(StatusCode.Unauthenticated, await FailAsync(request));
        await using RpcChannel hostile = StallTolerantChannel.To(Server.Server.Endpoint);
        request.AuthToken = "wrong";
        for (int failure = 0; failure < AuthenticationRateLimiter.MaxFailures; failure++)
        {
            Assert.Equal(StatusCode.Unauthenticated, await RawAsync(request.ToByteArray(), channel: hostile));
        }

        // A failed request does not authenticate its connection, so the limiter rejects later attempts. On a slow machine, the block may already have ended.
        string[] metrics = (await ReadAsync("/metrics")).Split('\n');
        int Read(string name) =>
            int.Parse(metrics.Single(line => line.StartsWith(name + ' ', StringComparison.Ordinal))[name.Length..], CultureInfo.InvariantCulture);
        int failures = Read("larder_authentication_failures_total");
        Assert.InRange(failures, AuthenticationRateLimiter.MaxFailures, AuthenticationRateLimiter.MaxFailures + 3);
        Assert.Equal(AuthenticationRateLimiter.MaxFailures + 3, failures + Read("larder_door_refusals_total"));
    }

    [Fact]
    public async Task Server_without_signing_key_issues_no_tokens()
    {
        await using RunningServer keyless = await RunningServer.StartAsync(options => options with { TokensPath = Tokens.Path });
        byte[] request = Request("web", Of(Scope(PermissionRole.ReadOnly)), 60).ToByteArray();
        Assert.Equal(StatusCode.Unimplemented, await RawAsync(request, channel: keyless.Channel));
        Assert.Equal(StatusCode.Unauthenticated, await RawAsync([], channel: keyless.Channel));
        await using RunningServer open = await RunningServer.StartAsync();
        Assert.Equal(StatusCode.Unimplemented, await RawAsync([], channel: open.Channel));
        Assert.Throws<ServerOptionsException>(() => new ServerOptions { TokenKeyPath = Keys }.Validate());
    }
}
