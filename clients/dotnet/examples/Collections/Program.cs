using Larder.Client;
using Larder.Examples.Collections;

// Uses the server in LARDER_URL (http[s]://[token@]host:port) if it is set, otherwise the server on this machine.
CredentialProvider server = Environment.GetEnvironmentVariable("LARDER_URL") is null
    ? CredentialProvider.Local()
    : CredentialProvider.FromEnvironmentVariable();
await using CacheClient client = new(Configurations.Laptop.Latest(), server, defaultTtl: TimeSpan.FromMinutes(10));
Console.WriteLine(await Game.PlayAsync(client.Cache("cache")));
