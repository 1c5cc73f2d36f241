namespace Larder.Server.Tests.Calls.Collections;

public sealed class SetCallInMemoryTests(CollectionServer server) : SetCallTests(server), IClassFixture<CollectionServer>;
