using System.Diagnostics.CodeAnalysis;

namespace Larder.Server.Tests.Fleet.Collections;

/// <summary>The collection of the tests that share a gateway. Their classes run sequentially.</summary>
[CollectionDefinition(GatewayServer.Name)]
[SuppressMessage("Naming", "CA1711", Justification = "What xunit calls it.")]
public sealed class GatewayServerCollection : ICollectionFixture<GatewayServer>;
