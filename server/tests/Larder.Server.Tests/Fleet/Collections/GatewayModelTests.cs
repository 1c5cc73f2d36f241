namespace Larder.Server.Tests.Fleet.Collections;

/// <summary>Tests that random calls through a gateway give the same results as plain .NET collections.</summary>
[Collection(GatewayServer.Name)]
public sealed class GatewayModelTests(GatewayServer server)
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public Task Random_calls_return_the_same_results_as_the_model(int seed) => new GatewayModel(server, seed).RunAsync(3_000);
}
