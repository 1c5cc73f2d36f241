using Larder.Client;

// The server: LARDER_URL (http[s]://[token@]host:port) if it is set, otherwise this machine.
CredentialProvider server = Environment.GetEnvironmentVariable("LARDER_URL") is null
    ? CredentialProvider.Local()
    : CredentialProvider.FromEnvironmentVariable();

// Create one client for the whole program and share it.
await using CacheClient client = new(Configurations.Laptop.Latest(), server, defaultTtl: TimeSpan.FromMinutes(10));
Cache cache = client.Cache("cache");

// Every call returns a result, which contains the error if the call failed: nothing here throws.
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

// Gets the value, or creates it once, however many callers request it.
GetOrCreateResult<CacheValue> report = await cache.GetOrCreateAsync("report", async cancelled =>
{
    await Task.Delay(100, cancelled);
    return "made just now"u8.ToArray();
});
Console.WriteLine($"{report.Value.Text} ({report.Source})");
return 0;
