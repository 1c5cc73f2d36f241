using Larder.Server.Tests.Calls.Collections;

namespace Larder.Server.Tests.Fleet.Collections;

[Collection(GatewayServer.Name)]
public sealed class SetCallOnGatewayTests(GatewayServer server) : SetCallTests(server);
