using Larder.Client;
using Larder.Examples.Topics;

// Uses the server in LARDER_URL (http[s]://[token@]host:port) if it is set, otherwise the server on this machine.
CredentialProvider server = Environment.GetEnvironmentVariable("LARDER_URL") is null
    ? CredentialProvider.Local()
    : CredentialProvider.FromEnvironmentVariable();
await using CacheClient client = new(Configurations.Laptop.Latest(), server, defaultTtl: TimeSpan.FromMinutes(10));
Cache cache = client.Cache("cache");
Task<string> following = Orders.FollowAsync(cache, until: "closed", Console.Out);
foreach (string order in (string[])["two loaves", "a pie", "closed"])
{
    if (await cache.PublishAsync("orders", order) is { Error: { } error })
    {
        Console.Error.WriteLine(error.Message);
        return 1;
    }
}

Console.WriteLine(await following);
return 0;
