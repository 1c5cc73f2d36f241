namespace Larder.Server.Tests.Calls.Collections;

public sealed class ItemScanCallInMemoryTests(CollectionServer server) : ItemScanCallTests(server), IClassFixture<CollectionServer>;
