using System.Net;
using System.Net.Http.Headers;
using System.Text.Json.Nodes;
using Larder.Harness.Clocks;
using Larder.Protocol;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Faults;
using Larder.Server.Tests.Fleet;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Security;

/// <summary>
/// Tests that a caller that fails too often is rejected for some time, and that callers that are already authenticated are not affected (AUTH-16, AUTH-17).
/// </summary>
public sealed class AuthenticatorTests
{
    private const string Wrong = "a-wrong-token-that-must-not-be-told";

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Thirty_authentication_failures_block_new_but_not_authenticated_connections(bool hasFile)
    {
        using TokensOnDisk tokens = new(TokensOnDisk.Entry("web", "admin", "*"));
        string right = TokensOnDisk.SecretOf("web");
        await using RunningServer server = await RunningServer.StartAsync(
            options => hasFile ? options with { TokensPath = tokens.Path } : options with { Token = right });
        Assert.Equal(StatusCode.Ok, await AskAsync(server.Channel, right));
        await using RpcChannel hostile = StallTolerantChannel.To(server.Server.Endpoint);
        for (int failure = 0; failure < AuthenticationRateLimiter.MaxFailures; failure++)
        {
            Assert.Equal(StatusCode.Unauthenticated, await AskAsync(hostile, Wrong));
        }

        // The correct token is rejected while the limiter blocks the address. On a slow machine, the block may already have ended.
        StatusCode late = await AskAsync(hostile, right);
        Assert.Equal(StatusCode.Ok, await AskAsync(server.Channel, right));
        Assert.Contains(late, (StatusCode[])[StatusCode.Unauthenticated, StatusCode.Ok]);
        await Until.TrueAsync(async () => await AskAsync(hostile, right) == StatusCode.Ok, "the limiter is open again");
        string metrics = await ReadAsync(server, "/metrics", hasFile ? right : null);
        Assert.Contains($"\nlarder_authentication_failures_total {AuthenticationRateLimiter.MaxFailures}\n", metrics, StringComparison.Ordinal);
        Assert.Equal(late == StatusCode.Ok, metrics.Contains("\nlarder_door_refusals_total 0\n", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(AuthenticationRateLimiter.MaxFailures - 1, false)]
    [InlineData(AuthenticationRateLimiter.MaxFailures, true)]
    [InlineData(AuthenticationRateLimiter.MaxFailures + 1, true)]
    [InlineData(10 * AuthenticationRateLimiter.MaxFailures, true)]
    public async Task Failed_console_logins_block_the_console_but_not_calls(int failures, bool isShut)
    {
        using TokensOnDisk tokens = new(TokensOnDisk.Entry("web", "admin", "*"));
        ManualTime time = new();
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path, TimeProvider = time });
        for (int failure = 0; failure < failures; failure++)
        {
            Assert.Equal(
                failure < AuthenticationRateLimiter.MaxFailures ? HttpStatusCode.Unauthorized : HttpStatusCode.TooManyRequests,
                await StatusAsync(server, "/metrics", Wrong));
        }

        HttpStatusCode expected = isShut ? HttpStatusCode.TooManyRequests : HttpStatusCode.OK;
        Assert.Equal(expected, await StatusAsync(server, "/metrics", TokensOnDisk.SecretOf("web")));
        Assert.Equal(expected, await StatusAsync(server, "/api/session", TokensOnDisk.SecretOf("web")));
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(server, "/health", null));
        Assert.Equal(StatusCode.Ok, await AskAsync(server.Channel, TokensOnDisk.SecretOf("web")));
        time.Advance(AuthenticationRateLimiter.BlockTime);
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(server, "/metrics", TokensOnDisk.SecretOf("web")));
        // A request without a token is not a failed attempt.
        for (int asked = 0; asked < 2 * AuthenticationRateLimiter.MaxFailures; asked++)
        {
            Assert.Equal(HttpStatusCode.Unauthorized, await StatusAsync(server, "/metrics", null));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Recently_revoked_tokens_do_not_count_as_failed_attempts(bool hasFile)
    {
        string[] fleet = [.. Enumerable.Range(0, hasFile ? AuthenticationRateLimiter.MaxFailures : 1).Select(static member => $"member-{member}")];
        using TokensOnDisk tokens = new([.. fleet.Select(static id => TokensOnDisk.Entry(id, "read", "*"))]);
        string single = tokens.Path + ".single";
        await File.WriteAllTextAsync(single, TokensOnDisk.SecretOf(fleet[0]));
        ManualTime time = new();
        await using RunningServer server = await RunningServer.StartAsync(options =>
            (hasFile ? options with { TokensPath = tokens.Path } : options with { TokenPath = single }) with { TimeProvider = time });
        tokens.Write(TokensOnDisk.Entry("next", "read", "*"));
        await File.WriteAllTextAsync(single, TokensOnDisk.SecretOf("next"));
        Assert.True(server.Server.Reload());
        await using (RpcChannel late = StallTolerantChannel.To(server.Server.Endpoint))
        {
            for (int call = 0; call < 10 * AuthenticationRateLimiter.MaxFailures; call++)
            {
                Assert.Equal(StatusCode.Unauthenticated, await AskAsync(late, TokensOnDisk.SecretOf(fleet[call % fleet.Length])));
            }
        }

        await AssertNewcomerAsync(server, StatusCode.Ok);
        time.Advance(RevokedTokens.KeptFor);
        await using RpcChannel later = StallTolerantChannel.To(server.Server.Endpoint);
        for (int call = 0; call < AuthenticationRateLimiter.MaxFailures; call++)
        {
            Assert.Equal(StatusCode.Unauthenticated, await AskAsync(later, TokensOnDisk.SecretOf(fleet[call % fleet.Length])));
        }

        await AssertNewcomerAsync(server, StatusCode.Unauthenticated);
    }

    [Theory]
    [InlineData("")]
    [InlineData("expired")]
    public async Task Missing_or_expired_token_does_not_count_towards_blocking(string id)
    {
        using TokensOnDisk tokens = new(
            TokensOnDisk.Entry("next", "admin", "*"),
            TokensOnDisk.Entry("expired", "admin", "*", expires: "2001-01-01T00:00:00Z"));
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        string shown = id.Length == 0 ? "" : TokensOnDisk.SecretOf(id);
        await using (RpcChannel stranger = StallTolerantChannel.To(server.Server.Endpoint))
        {
            for (int call = 0; call < 10 * AuthenticationRateLimiter.MaxFailures; call++)
            {
                Assert.Equal(StatusCode.Unauthenticated, await AskAsync(stranger, shown));
            }
        }

        await AssertNewcomerAsync(server, StatusCode.Ok);
        string metrics = await ReadAsync(server, "/metrics", TokensOnDisk.SecretOf("next"));
        Assert.Contains($"\nlarder_authentication_failures_total {10 * AuthenticationRateLimiter.MaxFailures}\n", metrics, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Audit_lists_rejections_and_changes_without_secrets()
    {
        using TokensOnDisk tokens = new(
            TokensOnDisk.Entry("web", "read", "cache"),
            TokensOnDisk.Entry("ops", "admin", "*"),
            TokensOnDisk.Entry("all", "read", "*"));
        string ops = TokensOnDisk.SecretOf("ops");
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        Assert.Equal(StatusCode.Unauthenticated, await AskAsync(server.Channel, Wrong));
        Assert.Equal(StatusCode.PermissionDenied, await AskAsync(server.Channel, TokensOnDisk.SecretOf("web"), "hidden"));
        RpcException denied = await Assert.ThrowsAsync<RpcException>(async () => await server.CallAsync<DeleteCacheResponse>(
            ControlService.Path("DeleteCache"),
            new DeleteCacheRequest { Name = "theirs" },
            RunningServer.CacheHeaders("header").With("authorization", TokensOnDisk.SecretOf("web"))));
        Assert.Equal(StatusCode.PermissionDenied, denied.Status.Code);
        Assert.True(server.Server.Reload());
        tokens.WriteText("broken");
        Assert.False(server.Server.Reload());
        string text = await ReadAsync(server, "/api/audit", ops);
        Assert.DoesNotContain(Wrong, text, StringComparison.Ordinal);
        Assert.DoesNotContain("secret-", text, StringComparison.Ordinal);
        JsonArray lines = JsonNode.Parse(text)!["entries"]!.AsArray();
        string[] noted = [.. lines.Select(static line => $"{line!["kind"]} {line["who"]} {line["what"]} {line["cache"]}")];
        Assert.Equal("NotReloaded  --tokens ", noted[0]);
        Assert.Contains("Reloaded  --tokens ", noted);
        Assert.Contains("Denied web /cache_client.Scs/Get hidden", noted);
        Assert.Contains("Denied web /control_client.ScsControl/DeleteCache theirs", noted);
        Assert.Contains("Unauthenticated  /cache_client.Scs/Get ", noted);
        Assert.Equal(HttpStatusCode.Forbidden, await StatusAsync(server, "/api/audit", TokensOnDisk.SecretOf("all")));
        Assert.Contains("\nlarder_permission_denials_total 2\n", await ReadAsync(server, "/metrics", ops), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Token_list_shows_calls_and_streams_without_secrets()
    {
        using TokensOnDisk tokens = new(
            TokensOnDisk.Entry("web", "read", "cache", "k"),
            TokensOnDisk.Entry("ops", "admin", "*"),
            TokensOnDisk.Entry("all", "read", "*", expires: "2001-01-01T00:00:00Z"));
        string web = TokensOnDisk.SecretOf("web");
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        Assert.Null((await CallerOfAsync(server, "web"))!["lastSeen"]);
        for (int call = 0; call < 3; call++)
        {
            Assert.Equal(StatusCode.Ok, await AskAsync(server.Channel, web));
        }

        await using (PipelineClient client = await PipelineClient.OpenAsync(server, RunningServer.CacheHeaders().With("authorization", web)))
        {
            await client.AskAsync(new Operation { Id = 1, Get = new GetRequest { Key = CallHarness.Bytes("k") } });
            // The call that opened the stream is also counted.
            await Until.TrueAsync(async () => (int?)(await CallerOfAsync(server, "web"))!["calls"] == 5, "all are counted");
            Assert.Equal(1, (int?)(await CallerOfAsync(server, "web"))!["streams"]);
        }

        JsonNode told = (await CallerOfAsync(server, "web"))!;
        Assert.Equal(("127.0.0.1", "read:cache:k"), ((string?)told["address"], (string?)told["grants"]![0]));
        Assert.NotNull(told["lastSeen"]);
        Assert.True((bool?)(await CallerOfAsync(server, "all"))!["hasExpired"]);
        string text = await ReadAsync(server, "/api/tokens", TokensOnDisk.SecretOf("ops"));
        Assert.DoesNotContain("secret-", text, StringComparison.Ordinal);
        Assert.DoesNotContain(TokensOnDisk.DigestOf(web), text, StringComparison.OrdinalIgnoreCase);
        Assert.Equal(HttpStatusCode.Unauthorized, await StatusAsync(server, "/api/tokens", web));
    }

    // Asserts the status of a call on a new connection with a valid token.
    private static async Task AssertNewcomerAsync(RunningServer server, StatusCode expected)
    {
        await using RpcChannel newcomer = StallTolerantChannel.To(server.Server.Endpoint);
        Assert.Equal(expected, await AskAsync(newcomer, TokensOnDisk.SecretOf("next")));
    }

    private static async Task<JsonNode?> CallerOfAsync(RunningServer server, string id)
    {
        JsonNode told = JsonNode.Parse(await ReadAsync(server, "/api/tokens", TokensOnDisk.SecretOf("ops")))!;
        return told["tokens"]!.AsArray().SingleOrDefault(each => (string?)each!["id"] == id);
    }

    private static async Task<StatusCode> AskAsync(RpcChannel channel, string token, string cache = RunningServer.Cache)
    {
        try
        {
            await channel.UnaryAsync(
                FaultCalls.GetMethod,
                new GetRequest { Key = CallHarness.Bytes("k") },
                RunningServer.CacheHeaders(cache).With("authorization", token),
                RunningServer.Patience,
                CancellationToken.None);
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }

    private static async Task<HttpStatusCode> StatusAsync(RunningServer server, string path, string? token)
    {
        using HttpResponseMessage answer = await SendAsync(server, path, token);
        return answer.StatusCode;
    }

    private static async Task<string> ReadAsync(RunningServer server, string path, string? token)
    {
        using HttpResponseMessage answer = await SendAsync(server, path, token);
        return await answer.Content.ReadAsStringAsync();
    }

    private static async Task<HttpResponseMessage> SendAsync(RunningServer server, string path, string? token)
    {
        using HttpClient http = new();
        using HttpRequestMessage request = new(HttpMethod.Get, new Uri(server.Server.ConsoleEndpoint, path));
        request.Headers.Authorization = token is null ? null : new AuthenticationHeaderValue("Bearer", token);
        return await http.SendAsync(request);
    }
}
