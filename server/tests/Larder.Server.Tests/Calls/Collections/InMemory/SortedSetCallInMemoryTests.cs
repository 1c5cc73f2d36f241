namespace Larder.Server.Tests.Calls.Collections;

public sealed class SortedSetCallInMemoryTests(CollectionServer server) : SortedSetCallTests(server), IClassFixture<CollectionServer>;
