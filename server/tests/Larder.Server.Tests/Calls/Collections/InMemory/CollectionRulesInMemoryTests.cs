namespace Larder.Server.Tests.Calls.Collections;

public sealed class CollectionRulesInMemoryTests(CollectionServer server) : CollectionRulesTests(server), IClassFixture<CollectionServer>;
