using Larder.Client.Tests.Support;
using Larder.Examples.Typed;
using Larder.Harness;

namespace Larder.Client.Tests.Codecs;

/// <summary>Tests that the guide's program is identical to the example, and behaves as described.</summary>
public sealed class TypedGuideTests
{
    [Fact]
    public async Task Typed_guide_example_queries_each_article_once()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        List<string> asked = [];
        Prices prices = new(client.Cache("cache"), (article, _) =>
        {
            asked.Add(article);
            return ValueTask.FromResult(article == "flour" ? new Price("flour", 1.2m) : null);
        });
        for (int i = 0; i < 2; i++)
        {
            Assert.Equal(new Price("flour", 1.2m), await prices.OfAsync("flour"));
            Assert.Null(await prices.OfAsync("gold"));
        }

        Assert.Equal(["flour", "gold"], asked);
        Assert.InRange(await LeftAsync("price:gold"), TimeSpan.Zero, TimeSpan.FromSeconds(30));
        Assert.InRange(await LeftAsync("price:flour"), TimeSpan.FromMinutes(54), TimeSpan.FromMinutes(55));

        async Task<TimeSpan> LeftAsync(string key) => (await client.Cache("cache").ItemGetTtlAsync(key)).Value;
    }

    [Fact]
    public void Typed_guide_contains_the_example_code() => Assert.Contains(
        $"```csharp\n{Checkout.Read("clients/dotnet/examples/Typed/Prices.cs")}```",
        Checkout.Read("docs/guides/get-or-set.md"),
        StringComparison.Ordinal);
}
