using Larder.Client;

namespace Larder.Examples.Programs;

/// <summary>Caches prices in this process's memory. The server notifies the client when a price changes.</summary>
public static class NearPrices
{
    public static async Task Main() =>
        Console.WriteLine(string.Join('\n', await RunAsync(Environment.GetEnvironmentVariable("LARDER_URL") ?? "http://127.0.0.1:8080")));

    public static async Task<string[]> RunAsync(string url)
    {
        Configuration near = Configurations.Laptop.Latest() with { NearCache = new() { MaxBytes = 64 << 20 } };
        await using CacheClient client = new(near, url, defaultTtl: TimeSpan.FromHours(1));
        await using CacheClient other = new(Configurations.Laptop.Latest(), url, defaultTtl: TimeSpan.FromHours(1));
        Cache prices = client.Cache("cache");
        await prices.SetAsync("price:pencil", "1.20");

        // Reads until the client has a copy. The client stores copies only after the server has started to notify it of changes.
        while (!prices.TryGetNear("price:pencil", out _))
        {
            await ReadAsync(prices);
        }

        for (int read = 0; read < 1_000; read++)
        {
            await ReadAsync(prices); // No calls to the server.
        }

        List<string> lines = [$"{await ReadAsync(prices)}, {client.NearCache!.Hits} hits"];
        await prices.SetAsync("price:pencil", "1.30");
        lines.Add(await ReadAsync(prices)); // The client sees its own write immediately.
        await other.Cache("cache").SetAsync("price:pencil", "1.40");
        while (await ReadAsync(prices) != "1.40") // Another client's write is visible after one notification.
        {
            await Task.Yield();
        }

        return [.. lines, "1.40"];
    }

    private static async Task<string> ReadAsync(Cache prices) => (await prices.GetAsync("price:pencil")).Value.Text;
}
