using System.Diagnostics.CodeAnalysis;

namespace Larder.Server.Tests.Fleet.Collections;

/// <summary>The tests that share a gateway; their classes run sequentially.</summary>
[CollectionDefinition(GatewayServer.Name)]
[SuppressMessage("Naming", "CA1711", Justification = "What xunit calls it.")]
public sealed class GatewayServerCollection : ICollectionFixture<GatewayServer>;
