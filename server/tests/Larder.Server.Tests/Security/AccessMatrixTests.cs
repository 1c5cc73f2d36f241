using Larder.Server.Calls;
using Larder.Server.Leases;
using Larder.Server.Security;
using Larder.Server.Services;

namespace Larder.Server.Tests.Security;

/// <summary>Every rpc of the table of operations, for every role, cache and key, over both transports (AUTH-9 to AUTH-12).</summary>
public sealed class AccessMatrixTests
{
    [Fact]
    public void The_table_of_operations_has_every_call_that_the_server_serves_and_that_the_contract_has()
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
    public async Task A1_every_rpc_by_every_role_in_every_place_over_unary()
    {
        using TokensOnDisk tokens = new(AccessMatrix.Entries);
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        await AccessMatrix.AssertUnaryAsync(server);
    }

    [Fact]
    public async Task A1_every_rpc_by_every_role_in_every_place_in_a_pipeline()
    {
        using TokensOnDisk tokens = new(AccessMatrix.Entries);
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        await AccessMatrix.AssertPipelineAsync(server);
    }
}
