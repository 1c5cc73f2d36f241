using Larder.Client;

// Uses the server in LARDER_URL (http[s]://[token@]host:port) if it is set, otherwise the server on this machine.
CredentialProvider server = Environment.GetEnvironmentVariable("LARDER_URL") is null
    ? CredentialProvider.Local()
    : CredentialProvider.FromEnvironmentVariable();

// Create one client for the whole program and share it.
await using CacheClient client = new(Configurations.Laptop.Latest(), server, defaultTtl: TimeSpan.FromMinutes(10));
Cache cache = client.Cache("cache");

// Every call returns a result. If a call fails, its result contains the error, and the call does not throw.
if (await cache.SetAsync("greeting", "hello") is { Error: { } failed })
{
    Console.Error.WriteLine(failed.Message);
    return 1;
}

string greeting = await cache.GetAsync("greeting") switch
{
    { IsHit: true } hit => hit.Value.Text,
    { IsMiss: true } => "(gone)",
    { Error: { } error } => $"({error.Code})",
    _ => "",
};
Console.WriteLine(greeting);

// Gets the value. If it is missing, creates it once, even if many callers request it at the same time.
GetOrCreateResult<CacheValue> report = await cache.GetOrCreateAsync("report", async cancelled =>
{
    await Task.Delay(100, cancelled);
    return "made just now"u8.ToArray();
});
Console.WriteLine($"{report.Value.Text} ({report.Source})");
return 0;
