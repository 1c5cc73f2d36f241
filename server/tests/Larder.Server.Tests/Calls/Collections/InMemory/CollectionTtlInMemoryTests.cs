namespace Larder.Server.Tests.Calls.Collections;

public sealed class CollectionTtlInMemoryTests(CollectionServer server) : CollectionTtlTests(server), IClassFixture<CollectionServer>;
