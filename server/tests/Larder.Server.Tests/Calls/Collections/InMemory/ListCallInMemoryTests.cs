namespace Larder.Server.Tests.Calls.Collections;

public sealed class ListCallInMemoryTests(CollectionServer server) : ListCallTests(server), IClassFixture<CollectionServer>;
