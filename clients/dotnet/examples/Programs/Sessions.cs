using System.Security.Cryptography;
using Larder.Client;

namespace Larder.Examples.Programs;

/// <summary>Sessions that expire 30 minutes after their last request. If the cache fails, pages still work and treat users as guests.</summary>
public static class Sessions
{
    private static readonly TimeSpan s_ttl = TimeSpan.FromMinutes(30);

    public static async Task Main() =>
        Console.WriteLine(string.Join('\n', await RunAsync(Environment.GetEnvironmentVariable("LARDER_URL") ?? "http://127.0.0.1:8080")));

    public static async Task<string[]> RunAsync(string url)
    {
        await using CacheClient client = new(Configurations.Laptop.Latest(), url, defaultTtl: s_ttl);
        await using CacheClient unreachable = new(Configurations.Laptop.Latest(), "http://127.0.0.1:1", defaultTtl: s_ttl);
        Cache cache = client.Cache("cache").WithTimeout(TimeSpan.FromSeconds(2));
        string id = await LogInAsync(cache, "Ada");
        string user = await UserOfAsync(cache, id);
        await cache.DeleteAsync($"session:{id}");
        return [user, await UserOfAsync(cache, id), await UserOfAsync(unreachable.Cache("cache"), id)];
    }

    private static async Task<string> LogInAsync(Cache cache, string user)
    {
        string id = RandomNumberGenerator.GetHexString(32);
        CacheResult set = await cache.SetAsync($"session:{id}", user, s_ttl);
        return set.IsSuccess ? id : throw new CacheException(set.Error);
    }

    private static async Task<string> UserOfAsync(Cache cache, string id)
    {
        switch (await cache.GetAsync($"session:{id}"))
        {
            case { IsHit: true } hit:
                await cache.UpdateTtlAsync($"session:{id}", s_ttl);
                return hit.Value.Text;
            case { Error: { } error }:
                return $"guest ({error.Code})";
            default:
                return "guest";
        }
    }
}
