using System.Diagnostics.CodeAnalysis;
using Larder.Harness.Redis;
using Larder.Server.Tests.Calls.Collections;

namespace Larder.Server.Tests.Fleet.Collections;

/// <summary>A gateway in front of a real cluster of three masters. All tests of the xunit collection share it.</summary>
[SuppressMessage("Reliability", "CA1001", Justification = "DisposeAsync ends it.")]
public sealed class GatewayServer : CollectionServer
{
    /// <summary>The name of the xunit collection.</summary>
    public const string Name = "a gateway's collections";

    private readonly RedisCluster _cluster = new();

    internal RedisCluster Cluster => _cluster;

    public override async Task DisposeAsync()
    {
        await base.DisposeAsync();
        _cluster.Dispose();
    }

    private protected override Task<RunningServer> StartAsync(Func<ServerOptions, ServerOptions> with) => RunningGateway.StartAsync(_cluster.Url, with);
}
