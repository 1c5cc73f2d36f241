using Larder.Server.Calls;
using Larder.Server.Leases;
using Larder.Server.Security;
using Larder.Server.Services;

namespace Larder.Server.Tests.Security;

/// <summary>Tests every rpc of the table of operations, for every role, cache and key, over both transports (AUTH-9 to AUTH-12).</summary>
public sealed class AccessMatrixTests
{
    [Fact]
    public void Call_policies_cover_every_served_RPC()
    {
        string[] served =
        [
            .. CacheCalls.Single.Concat(CacheCalls.Batches).Select(static call => call.Path), .. ControlService.Paths, .. ExtrasService.Paths,
            .. LeaseService.Paths, PingService.Path, TokenService.Path, .. PubsubService.Paths,
        ];
        Assert.Equal(served.Order(StringComparer.Ordinal), CallPolicies.All.Select(static each => each.Path).Order(StringComparer.Ordinal));
        Assert.Equal(RequestOf.Paths.Order(StringComparer.Ordinal), CallPolicies.All.Select(static each => each.Path).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task A1_unary_calls_enforce_permissions_of_every_role_on_every_RPC()
    {
        using TokensOnDisk tokens = new(AccessMatrix.Entries);
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        await AccessMatrix.AssertUnaryAsync(server);
    }

    [Fact]
    public async Task A1_pipeline_enforces_permissions_of_every_role_on_every_RPC()
    {
        using TokensOnDisk tokens = new(AccessMatrix.Entries);
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        await AccessMatrix.AssertPipelineAsync(server);
    }
}
