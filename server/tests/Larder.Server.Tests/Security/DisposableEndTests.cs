using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Server.Security;
using Larder.Server.Tests.Faults;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;
using static Larder.Server.Tests.Security.PermissionsOf;

namespace Larder.Server.Tests.Security;

/// <summary>
/// Tests of how disposable tokens end: by expiry, with their issuer, or with their signing key. This also applies to servers that share the files (AUTH-21).
/// </summary>
public sealed class DisposableEndTests : DisposableTokenServer
{
    [Fact]
    public async Task Expired_token_ends_an_idle_stream()
    {
        await using RunningServer server = await StartAsync();
        string key = (await IssueAsync("web", Of(Scope(PermissionRole.ReadWrite)), 1)).ApiKey;
        try
        {
            await using PipelineClient client = await OpenAsync(server, key);
            await AssertEndedAsync(client);
        }
        catch (RpcException late)
        {
            // The token is valid for one second, and the call took longer.
            Assert.Equal(StatusCode.Unauthenticated, late.Status.Code);
        }

        await Until.TrueAsync(async () => await GetAsync(key, "k", server) == (StatusCode.Unauthenticated, StatusCode.Unauthenticated), "it has ended");
    }

    [Fact]
    public async Task Token_loses_rights_when_its_issuer_loses_them()
    {
        string key = (await IssueAsync("web", Of(Scope(PermissionRole.ReadWrite)))).ApiKey;
        await using PipelineClient client = await OpenAsync(Server, key);
        Assert.Equal(StatusCode.Ok, await SetAsync(key, "k"));
        Tokens.Write(TokensOnDisk.Entry("web", "read", RunningServer.Cache, "k"), TokensOnDisk.Entry("ops", "admin", "*"));
        Assert.True(Server.Server.Reload());
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), await GetAsync(key, "k1"));
        Assert.Equal((StatusCode.PermissionDenied, StatusCode.PermissionDenied), await GetAsync(key, "z"));
        Assert.Equal(StatusCode.PermissionDenied, await SetAsync(key, "k"));
        Tokens.Write(TokensOnDisk.Entry("ops", "admin", "*"));
        Assert.True(Server.Server.Reload());
        await AssertEndedAsync(client);
        Assert.Equal((StatusCode.Unauthenticated, StatusCode.Unauthenticated), await GetAsync(key, "k"));
    }

    [Fact]
    public async Task Servers_accept_each_others_tokens_until_shared_key_is_removed()
    {
        await using RunningServer other = await StartAsync();
        string key = (await IssueAsync("web", Of(Scope(PermissionRole.ReadWrite)))).ApiKey;
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
    public async Task Gateway_and_server_sharing_key_file_accept_each_others_tokens()
    {
        using RedisServer redis = new();
        await using RunningServer gateway = await StartAsync(options => options with { Store = redis.Url });
        await Until.TrueAsync(
            async () => await GetAsync(TokensOnDisk.SecretOf("ops"), "any", gateway) == (StatusCode.Ok, StatusCode.Ok),
            "the gateway is ready");
        string fromMemory = (await IssueAsync("web", Of(Scope(PermissionRole.ReadWrite, prefix: "user:7")))).ApiKey;
        string fromGateway = (await IssueAsync("web", Of(Scope(PermissionRole.ReadOnly, key: "one")), server: gateway)).ApiKey;
        foreach (RunningServer server in (RunningServer[])[Server, gateway])
        {
            Assert.Equal(StatusCode.Ok, await SetAsync(fromMemory, "user:7:name", server: server));
            Assert.Equal((StatusCode.Ok, StatusCode.Ok), await GetAsync(fromMemory, "user:7:name", server));
            Assert.Equal((StatusCode.PermissionDenied, StatusCode.PermissionDenied), await GetAsync(fromMemory, "user:8:name", server));
            Assert.Equal((StatusCode.Ok, StatusCode.Ok), await GetAsync(fromGateway, "one", server));
            Assert.Equal((StatusCode.PermissionDenied, StatusCode.PermissionDenied), await GetAsync(fromGateway, "two", server));
            Assert.Equal(StatusCode.PermissionDenied, await SetAsync(fromGateway, "one", server: server));
        }

        await using PipelineClient waiting = await OpenAsync(gateway, fromMemory);
        Tokens.Write(TokensOnDisk.Entry("web", "read", RunningServer.Cache), TokensOnDisk.Entry("ops", "admin", "*"));
        Assert.True(gateway.Server.Reload());
        Assert.Equal(StatusCode.PermissionDenied, await SetAsync(fromMemory, "user:7:name", server: gateway));
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), await GetAsync(fromMemory, "user:7:name", gateway));
        File.Delete(Keys);
        TokenKeys.AddTo(Keys);
        Assert.True(gateway.Server.Reload());
        await AssertEndedAsync(waiting);
        Assert.Equal((StatusCode.Unauthenticated, StatusCode.Unauthenticated), await GetAsync(fromGateway, "one", gateway));
    }
}
