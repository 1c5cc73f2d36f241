using Larder.Client;

namespace Larder.Examples.Programs;

/// <summary>Conditional sets: store a value only if no other client has changed it.</summary>
public static class OptimisticUpdate
{
    public static async Task Main() =>
        Console.WriteLine(string.Join('\n', await RunAsync(Environment.GetEnvironmentVariable("LARDER_URL") ?? "http://127.0.0.1:8080")));

    public static async Task<string[]> RunAsync(string url)
    {
        await using CacheClient client = new(Configurations.Laptop.Latest(), url, defaultTtl: TimeSpan.FromMinutes(1));
        Cache cache = client.Cache("cache");
        await cache.DeleteAsync("members");
        bool[] joined = await Task.WhenAll(((string[])["Ada", "Barbara", "Edsger", "Grace"]).Select(name => JoinAsync(cache, name)));
        string members = (await cache.GetAsync("members")).Value.Text;

        // Several workers try to set the key. Only the first succeeds and runs the task.
        await cache.DeleteAsync("tidied");
        List<string> workers = [];
        foreach (string worker in (string[])["one", "two", "three"])
        {
            workers.Add($"{worker}: {(await cache.SetIfAbsentAsync("tidied", worker, TimeSpan.FromSeconds(30))).Outcome}");
        }

        return [$"{joined.Count(isStored => isStored)} joined: {string.Join(' ', members.Split(' ').Order())}", .. workers];
    }

    /// <summary>Adds a name to a value that other clients change concurrently. Returns true if the name was stored, or false if the set failed.</summary>
    private static async Task<bool> JoinAsync(Cache cache, string name)
    {
        SetIfOutcome outcome = SetIfOutcome.NotStored;
        while (outcome == SetIfOutcome.NotStored)
        {
            LookupResult<HashedValue> found = await cache.GetWithHashAsync("members");
            outcome = found.IsMiss
                ? (await cache.SetIfAbsentAsync("members", name)).Outcome
                : (await cache.SetIfPresentAndHashEqualAsync("members", $"{found.Value.Value.Text} {name}", found.Value.Hash)).Outcome;
        }

        return outcome == SetIfOutcome.Stored;
    }
}
