using System.Globalization;
using Larder.Client;

namespace Larder.Examples.Programs;

/// <summary>A shopping cart: a dictionary of products and quantities that expires a day after its last change.</summary>
public static class ShoppingCart
{
    private static readonly CollectionTtl s_day = TimeSpan.FromDays(1);

    public static async Task Main() =>
        Console.WriteLine(string.Join('\n', await RunAsync(Environment.GetEnvironmentVariable("LARDER_URL") ?? "http://127.0.0.1:8080")));

    public static async Task<string[]> RunAsync(string url)
    {
        await using CacheClient client = new(Configurations.Laptop.Latest(), url, defaultTtl: TimeSpan.FromMinutes(1));
        Cache cache = client.Cache("cache");
        await cache.DeleteAsync("cart:ada");
        await Task.WhenAll(AddAsync(cache, "ada", "pencil", 2), AddAsync(cache, "ada", "paper"), AddAsync(cache, "ada", "pencil"));
        await AddAsync(cache, "ada", "paper", -1);
        Dictionary<string, int> full = await ItemsAsync(cache, "ada");
        await cache.DeleteAsync("cart:ada");
        return [.. full.Select(item => $"{item.Key}: {item.Value}"), $"{(await ItemsAsync(cache, "ada")).Count} products"];
    }

    private static async Task AddAsync(Cache cache, string user, string product, int count = 1)
    {
        CacheResult<long> total = await cache.DictionaryIncrementAsync($"cart:{user}", product, count, s_day);
        if (total.Value <= 0) // Value throws if the call failed.
        {
            await cache.DictionaryRemoveFieldAsync($"cart:{user}", product);
        }
    }

    private static async Task<Dictionary<string, int>> ItemsAsync(Cache cache, string user)
    {
        LookupResult<IReadOnlyList<DictionaryField>> cart = await cache.DictionaryFetchAsync($"cart:{user}");
        return cart.IsMiss
            ? []
            : cart.Value.ToDictionary(item => item.Field.Text, item => int.Parse(item.Value.Span, CultureInfo.InvariantCulture));
    }
}
