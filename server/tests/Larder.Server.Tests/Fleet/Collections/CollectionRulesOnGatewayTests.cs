using Larder.Server.Tests.Calls.Collections;

namespace Larder.Server.Tests.Fleet.Collections;

[Collection(GatewayServer.Name)]
public sealed class CollectionRulesOnGatewayTests(GatewayServer server) : CollectionRulesTests(server);
