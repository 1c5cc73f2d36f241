using System.Text;
using Larder.Client;
using Larder.Client.Codecs;

namespace Larder.Examples.Programs;

/// <summary>Stores, gets and loads several users per call. Each user has its own result. Missing users are loaded with one query.</summary>
public static class UserBatch
{
    public static async Task Main() =>
        Console.WriteLine(string.Join('\n', await RunAsync(Environment.GetEnvironmentVariable("LARDER_URL") ?? "http://127.0.0.1:8080")));

    public static async Task<string[]> RunAsync(string url)
    {
        await using CacheClient client = new(Configurations.Laptop.Latest(), url, defaultTtl: TimeSpan.FromMinutes(1));
        TypedCache<string> users = client.Cache("cache").Typed(new TextCodec());
        await client.Cache("cache").DeleteAsync("user:3");
        string[] keys = ["user:1", "user:2", "user:3"];

        // An item may have its own TTL. The call returns one result. Its Value contains a result for each item, and throws if the call failed.
        CacheResult<IReadOnlyList<CacheResult>> set = await users.SetBatchAsync(
            [new("user:1", "Ada"), new("user:2", "Grace", TimeSpan.FromSeconds(30))],
            ttl: TimeSpan.FromHours(1));
        List<string> lines = [$"{set.Value.Count(item => item.IsSuccess)} stored"];

        // The results are in the order of the keys.
        IReadOnlyList<LookupResult<string?>> found = (await users.GetBatchAsync([.. keys])).Value;
        lines.AddRange(keys.Zip(found, (key, user) => $"{key}: {(user.IsHit ? user.Value : user)}"));

        // Loads the missing users with one query, and stores them with one call.
        IReadOnlyList<GetOrCreateResult<string?>> all = await users.GetOrCreateBatchAsync([.. keys], QueryAsync);
        lines.AddRange(all.Select(user => $"{user.Value} ({user.Source})"));
        return [.. lines];
    }

    private static async ValueTask<IReadOnlyList<string?>> QueryAsync(IReadOnlyList<CacheBytes> missing, CancellationToken cancellationToken)
    {
        await Task.Delay(1, cancellationToken); // A query of the database.
        return [.. missing.Select(key => $"name of {Encoding.UTF8.GetString(key.ToArray())}")];
    }
}
