namespace Larder.Console.Tests.Servers;

/// <summary>The tests of the page: one after another, in one browser, on one server.</summary>
[CollectionDefinition(Name)]
public sealed class ConsoleTests : ICollectionFixture<LoadedServer>
{
    public const string Name = "console";
}
