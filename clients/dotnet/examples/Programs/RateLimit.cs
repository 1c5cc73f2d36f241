using Larder.Client;

namespace Larder.Examples.Programs;

/// <summary>At most 5 requests a minute from each address. If the cache fails or is slow, requests are allowed.</summary>
public static class RateLimit
{
    private static readonly TimeSpan s_window = TimeSpan.FromMinutes(1);

    public static async Task Main() =>
        Console.WriteLine(string.Join('\n', await RunAsync(Environment.GetEnvironmentVariable("LARDER_URL") ?? "http://127.0.0.1:8080")));

    public static async Task<string[]> RunAsync(string url)
    {
        await using CacheClient client = new(Configurations.Laptop.Latest(), url, defaultTtl: s_window);
        await using CacheClient unreachable = new(Configurations.Laptop.Latest(), "http://127.0.0.1:1", defaultTtl: s_window);
        Cache cache = client.Cache("cache").WithTimeout(TimeSpan.FromSeconds(2));
        await cache.DeleteAsync("requests:192.0.2.7");
        List<TimeSpan> waits = [];
        for (int request = 0; request < 8; request++)
        {
            waits.Add(await RetryAfterAsync(cache, "192.0.2.7"));
        }

        return
        [
            $"{waits.Count(wait => wait == TimeSpan.Zero)} of {waits.Count} pass",
            $"retry within a minute: {waits[^1] > TimeSpan.Zero && waits[^1] <= s_window}",
            $"without a cache: {await RetryAfterAsync(unreachable.Cache("cache"), "192.0.2.7")}",
        ];
    }

    /// <summary>Returns zero if a request is allowed, otherwise the time until the next window. The first request starts a window.</summary>
    private static async Task<TimeSpan> RetryAfterAsync(Cache cache, string address)
    {
        if (await cache.IncrementAsync($"requests:{address}", ttl: s_window, keepTtl: true) is { IsError: true } or { Value: <= 5 })
        {
            return TimeSpan.Zero;
        }

        return await cache.ItemGetTtlAsync($"requests:{address}") is { IsHit: true } left ? left.Value : TimeSpan.Zero;
    }
}
