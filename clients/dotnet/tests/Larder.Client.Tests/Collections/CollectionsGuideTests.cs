using Larder.Client.Tests.Support;
using Larder.Examples.Collections;
using Larder.Harness;

namespace Larder.Client.Tests.Collections;

/// <summary>Tests that the guide's program is identical to the example, and behaves as described.</summary>
public sealed class CollectionsGuideTests
{
    [Fact]
    public async Task Collections_guide_game_example_returns_the_expected_result()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Assert.Equal("bo with 135; Ann of Bergen is online; \"again?\"", await Game.PlayAsync(client.Cache("cache")));
    }

    [Fact]
    public async Task Paging_example_of_collections_guide_reads_a_whole_dictionary()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Cache cache = client.Cache("cache");
        await cache.DictionarySetAsync("large", [.. Enumerable.Range(0, 5_000).Select(static number => new DictionaryItem($"f{number}", $"v{number}"))]);
        Dictionary<string, string> read = (await Pages.ReadAsync(cache, "large"))!;
        Assert.Equal((5_000, "v4999"), (read.Count, read["f4999"]));
        Assert.Null(await Pages.ReadAsync(cache, "none"));
    }

    [Theory]
    [InlineData("Game.cs")]
    [InlineData("Pages.cs")]
    public void Collections_guide_contains_the_example_code(string file)
    {
        string example = Checkout.Read($"clients/dotnet/examples/Collections/{file}");
        Assert.Contains($"```csharp\n{example}```", Checkout.Read("docs/guides/collections.md"), StringComparison.Ordinal);
    }
}
