namespace Larder.Server.Tests.Calls.Collections;

public sealed class DictionaryCallInMemoryTests(CollectionServer server) : DictionaryCallTests(server), IClassFixture<CollectionServer>;
