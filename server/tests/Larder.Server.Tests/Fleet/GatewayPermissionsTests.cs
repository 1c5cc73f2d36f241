using System.Text;
using System.Text.RegularExpressions;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Server.Fleet;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet;

/// <summary>Tests of <c>server/gateway.acl</c>. The conformance vectors run with these permissions too.</summary>
public sealed partial class GatewayPermissionsTests
{
    [Fact]
    public void Every_command_of_a_script_is_permitted()
    {
        IEnumerable<string> called = FleetScripts.All.SelectMany(static script => Calls().Matches(Encoding.UTF8.GetString(script.Text)))
            .Select(static call => call.Groups["sub"] is { Success: true } sub && call.Groups["name"].Value is "MEMORY" or "CONFIG"
                ? $"+{call.Groups["name"].Value}|{sub.Value}"
                : $"+{call.Groups["name"].Value}");
        Assert.Equal([], called.Select(static name => name.ToLowerInvariant()).Except(GatewayUser.Permissions));
    }

    [Fact]
    public async Task Missing_permission_inside_a_script_fails_the_call_as_internal()
    {
        using RedisServer redis = new([.. GatewayUser.Settings, "-incrby"]);
        await using RunningServer gateway = await RunningGateway.StartAsync($"redis://{GatewayUser.Login}{redis.Endpoint}");
        RpcException error = await gateway.FailAsync("Increment", new IncrementRequest { Key = CallHarness.Bytes("n"), Amount = 1, TtlMs = 60_000 });
        Assert.Equal(StatusCode.Internal, error.Status.Code);
        Assert.Contains("rejects this gateway", error.Status.Message, StringComparison.Ordinal);
    }

    [GeneratedRegex(@"redis\.p?call\(\s*'(?<name>[A-Z]+)'(, *'(?<sub>[A-Z]+)')?")]
    private static partial Regex Calls();
}
