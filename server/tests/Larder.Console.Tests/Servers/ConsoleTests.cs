namespace Larder.Console.Tests.Servers;

/// <summary>The collection of all tests of the page. They run sequentially, with one browser and one server.</summary>
[CollectionDefinition(Name)]
public sealed class ConsoleTests : ICollectionFixture<LoadedServer>
{
    public const string Name = "console";
}
