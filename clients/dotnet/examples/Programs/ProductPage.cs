using System.Text.Json.Serialization;
using Larder.Client;
using Larder.Client.Codecs;

namespace Larder.Examples.Programs;

internal sealed record Product(string Name, decimal Euros);

[JsonSerializable(typeof(Product))]
internal sealed partial class ProductJson : JsonSerializerContext;

/// <summary>A product page: all callers of a key share one load, and a caller can cancel its call.</summary>
public static class ProductPage
{
    private static int s_loads;

    public static async Task Main() =>
        Console.WriteLine(string.Join('\n', await RunAsync(Environment.GetEnvironmentVariable("LARDER_URL") ?? "http://127.0.0.1:8080")));

    public static async Task<string[]> RunAsync(string url)
    {
        await using CacheClient client = new(Configurations.Laptop.Latest(), url, defaultTtl: TimeSpan.FromMinutes(1));
        TypedCache<Product> products = client.Cache("cache").Typed(new JsonCodec<Product>(ProductJson.Default.Product));
        await client.Cache("cache").DeleteAsync("product:7");
        string[] pages = await Task.WhenAll(Enumerable.Range(0, 100).Select(_ => RenderAsync(products, 7)));
        string shared = $"{pages.Length} pages, {s_loads} load: {pages[0]}";

        Task gone = RenderAsync(products, 8, new CancellationToken(canceled: true)); // The browser has disconnected: the call is cancelled.
        await gone.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return [shared, $"{gone.Status}"];
    }

    private static async Task<string> RenderAsync(TypedCache<Product> products, int id, CancellationToken cancellationToken = default)
    {
        GetOrCreateResult<Product?> product = await products.GetOrCreateAsync($"product:{id}", LoadAsync, cancellationToken: cancellationToken);
        return $"<h1>{product.Value!.Name}</h1> {product.Value.Euros:0.00} €"; // There is a value even if the cache fails.
    }

    private static async ValueTask<Product?> LoadAsync(CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref s_loads);
        await Task.Delay(10, cancellationToken); // A query of the database.
        return new Product("Pencil", 1.20m);
    }
}
