using Larder.Harness.Redis;
using Larder.Server.Tests.Near;

namespace Larder.Server.Tests.Fleet.Near;

/// <summary>Runs the tests of the base class on a gateway in front of a Redis server.</summary>
public sealed class NearWriteOnGatewayTests : NearWriteTests, IDisposable
{
    private readonly RedisServer _redis = new();

    public void Dispose() => _redis.Dispose();

    private protected override Task<RunningServer> StartAsync() => RunningGateway.StartAsync(_redis.Url);
}
