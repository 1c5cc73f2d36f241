using Larder.Server.Tests.Calls.Collections;

namespace Larder.Server.Tests.Fleet.Collections;

[Collection(FrontServer.Name)]
public sealed class ListCallOnFrontTests(FrontServer server) : ListCallTests(server);
