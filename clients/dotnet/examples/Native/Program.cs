using System.Text;
using System.Text.Json;
using Larder.Client;
using Larder.Client.Codecs;
using Larder.Examples.Native;
using Larder.FileStore;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;

// A web application that can be compiled to native code: dotnet publish -p:PublishAot=true. It uses every Larder library that supports native compilation. The
// setting Larder:Url is the address of the server, and the setting Folder is the folder of the cache file.
WebApplicationBuilder builder = WebApplication.CreateSlimBuilder(args);
string folder = builder.Configuration["Folder"] ?? Path.Combine(builder.Environment.ContentRootPath, "cache");

builder.Services.AddLarderCache(builder.Configuration.GetSection("Larder"), options => options.NearCacheBytes ??= 16 << 20);
builder.Services.AddLarderDistributedCache(options => options.KeyPrefix = "shop:");

// HybridCache stores objects as JSON with these options. In a native program, they must contain generated metadata for the types.
builder.Services.AddKeyedSingleton<JsonSerializerOptions>(typeof(IHybridCacheSerializer<>), new JsonSerializerOptions { TypeInfoResolver = ShopJson.Default });
builder.Services.AddLarderHybridCache();
builder.Services.AddLarderOutputCache();
builder.Services.AddOutputCache();
builder.Services.AddDistributedFileStoreCache(options =>
{
    options.WhichVersion = FileStoreCacheVersions.Class;
    options.PathToCacheFileDirectory = folder;
}, builder.Environment);
builder.Services.AddHealthChecks().AddLarder().AddDistributedFileStoreCache();

WebApplication app = builder.Build();
app.UseOutputCache();
app.MapHealthChecks("/health");

// The client: a typed cache with generated JSON, and a near cache.
CacheClient client = app.Services.GetRequiredService<CacheClient>();
TypedCache<Price> prices = client.Cache("cache").Typed(new JsonCodec<Price>(ShopJson.Default.Price));
int loads = 0;
app.MapGet("/prices/{article}", async (string article, CancellationToken stop) =>
{
    GetOrCreateResult<Price?> found = await prices.GetOrCreateAsync(
        $"price:{article}",
        _ =>
        {
            loads++;
            return ValueTask.FromResult<Price?>(new Price(article, 1.2m));
        },
        cancellationToken: stop);
    return $"{found.Value!.Article} costs {found.Value.Euros} euros; loads: {loads}; read from memory: {client.NearCache!.Hits > 0}";
});

// HybridCache. Larder keeps its values coherent in all processes.
app.MapGet("/orders/{id}", async (int id, HybridCache cache, CancellationToken stop) =>
{
    Order order = await cache.GetOrCreateAsync($"order:{id}", _ => ValueTask.FromResult(new Order(id, "flour")), cancellationToken: stop);
    return $"order {order.Id}: {order.Article}";
});

// IDistributedCache.
app.MapGet("/visits", async (IDistributedCache cache, CancellationToken stop) =>
{
    byte[]? last = await cache.GetAsync("visits", stop);
    string visits = last is null ? "1" : $"{int.Parse(Encoding.UTF8.GetString(last)) + 1}";
    await cache.SetAsync("visits", Encoding.UTF8.GetBytes(visits), new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromMinutes(20) }, stop);
    return visits;
});

// A page in the output cache.
app.MapGet("/report", () => $"created at {DateTimeOffset.UtcNow:O}").CacheOutput(policy => policy.Expire(TimeSpan.FromMinutes(10)));

// A cache in a file.
app.MapGet("/stock/{article}", (string article, IDistributedFileStoreCacheClass file) =>
{
    Stock stock = file.GetOrCreateClass($"stock:{article}", _ => new Stock(article, 7), ShopJson.Default.Stock);
    return $"{stock.Pieces} pieces of {stock.Article}";
});

await app.RunAsync();
