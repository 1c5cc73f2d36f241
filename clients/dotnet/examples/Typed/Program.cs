using Larder.Client;
using Larder.Examples.Typed;

// Uses the server in LARDER_URL (http[s]://[token@]host:port) if it is set, otherwise the server on this machine.
CredentialProvider server = Environment.GetEnvironmentVariable("LARDER_URL") is null
    ? CredentialProvider.Local()
    : CredentialProvider.FromEnvironmentVariable();
await using CacheClient client = new(Configurations.Laptop.Latest(), server, defaultTtl: TimeSpan.FromMinutes(10));
int asked = 0;
Prices prices = new(client.Cache("cache"), (article, _) =>
{
    asked++;
    return ValueTask.FromResult(article == "flour" ? new Price("flour", 1.2m) : null);
});
foreach (string article in (string[])["flour", "gold", "flour", "gold"])
{
    Console.WriteLine(await prices.OfAsync(article) is { } price ? $"{price.Article} is {price.Euros:0.00} euros" : $"{article} has no price");
}

Console.WriteLine($"the database was asked {asked} times");
return 0;
