using Larder.Server.Tests.Calls.Collections;

namespace Larder.Server.Tests.Fleet.Collections;

[Collection(FrontServer.Name)]
public sealed class ItemScanCallOnFrontTests(FrontServer server) : ItemScanCallTests(server);
