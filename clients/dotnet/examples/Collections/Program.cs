using Larder.Client;
using Larder.Examples.Collections;

// The server: LARDER_URL where it is set (http[s]://[token@]host:port), otherwise this machine.
CredentialProvider server = Environment.GetEnvironmentVariable("LARDER_URL") is null
    ? CredentialProvider.Local()
    : CredentialProvider.FromEnvironmentVariable();
await using CacheClient client = new(Configurations.Laptop.Latest(), server, defaultTtl: TimeSpan.FromMinutes(10));
Console.WriteLine(await Game.PlayAsync(client.Cache("cache")));
