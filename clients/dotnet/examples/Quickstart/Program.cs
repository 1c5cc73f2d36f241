using Larder.Client;

// The server: LARDER_URL where it is set (http[s]://[token@]host:port), otherwise this machine.
CredentialProvider server = Environment.GetEnvironmentVariable("LARDER_URL") is null
    ? CredentialProvider.Local()
    : CredentialProvider.FromEnvironmentVariable();

// One client for the whole program: it is made to be shared.
await using CacheClient client = new(Configurations.Laptop.Latest(), server, defaultTtl: TimeSpan.FromMinutes(10));
Cache cache = client.Cache("cache");

// Every answer is one of a closed set, and errors are answers too: nothing here throws.
if (await cache.SetAsync("greeting", "hello") is SetResponse.Error failed)
{
    Console.Error.WriteLine(failed.Message);
    return 1;
}

string greeting = await cache.GetAsync("greeting") switch
{
    GetResponse.Hit hit => hit.ValueString,
    GetResponse.Miss => "(gone)",
    GetResponse.Error error => $"({error.Code})",
    _ => "",
};
Console.WriteLine(greeting);

// Get it, or make it once however many callers ask.
GetOrCreateResponse report = await cache.GetOrCreateAsync("report", async cancelled =>
{
    await Task.Delay(100, cancelled);
    return "made just now"u8.ToArray();
});
Console.WriteLine($"{report.ValueString} ({report.GetType().Name})");
return 0;
