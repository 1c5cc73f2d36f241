using Larder.Server.Tests.Calls.Collections;

namespace Larder.Server.Tests.Fleet.Collections;

[Collection(GatewayServer.Name)]
public sealed class DictionaryCallOnGatewayTests(GatewayServer server) : DictionaryCallTests(server);
