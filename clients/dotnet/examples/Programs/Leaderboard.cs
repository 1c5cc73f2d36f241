using Larder.Client;

namespace Larder.Examples.Programs;

/// <summary>A leaderboard: a sorted set of players, ordered by points.</summary>
public static class Leaderboard
{
    private const string Board = "leaderboard";

    public static async Task Main() =>
        Console.WriteLine(string.Join('\n', await RunAsync(Environment.GetEnvironmentVariable("LARDER_URL") ?? "http://127.0.0.1:8080")));

    public static async Task<string[]> RunAsync(string url)
    {
        await using CacheClient client = new(Configurations.Laptop.Latest(), url, defaultTtl: TimeSpan.FromMinutes(1));
        Cache cache = client.Cache("cache");
        await cache.DeleteAsync(Board);
        await cache.SortedSetPutAsync(Board, [new("ann", 120), new("bo", 80), new("cy", 95)]);
        double points = (await cache.SortedSetIncrementAsync(Board, "bo", 50)).Value;
        long? cy = await PlaceOfAsync(cache, "cy"), nobody = await PlaceOfAsync(cache, "nobody");
        return [$"{points}", .. await TopAsync(cache, 2), $"cy: {cy}", $"nobody: {(nobody is null ? "no place" : nobody)}"];
    }

    private static async Task<IEnumerable<string>> TopAsync(Cache cache, int count)
    {
        LookupResult<IReadOnlyList<ScoredElement>> best =
            await cache.SortedSetFetchByRankAsync(Board, SortedSetOrder.Descending, start: 0, end: count);
        return best.IsMiss ? [] : best.Value.Select(element => $"{element.Value.Text}: {element.Score}");
    }

    /// <summary>Returns the player's place, or null if the player has no points. Throws an exception if the call failed.</summary>
    private static async Task<long?> PlaceOfAsync(Cache cache, string player)
    {
        LookupResult<long> rank = await cache.SortedSetGetRankAsync(Board, player, SortedSetOrder.Descending);
        return rank.IsMiss ? null : rank.Value + 1;
    }
}
