using Larder.Client;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Caching.Hybrid;

// Start two processes with different --urls and the same --Keys. They share sessions, values and pages. The server's address is the setting Larder:Url, or
// LARDER_URL if the setting is missing.
WebApplicationBuilder builder = WebApplication.CreateBuilder(args);

// One client for the whole application. Its timeout is short, because pages wait for its calls.
builder.Services.AddLarderCache(builder.Configuration.GetSection("Larder"), options => options.RequestTimeout ??= TimeSpan.FromSeconds(2));

// IDistributedCache for sessions, HybridCache and other code. If the server is unavailable, it behaves like an empty cache.
builder.Services.AddLarderDistributedCache(options =>
{
    options.KeyPrefix = "site:";
    options.FailOpen = true;
});
builder.Services.AddSession(options => options.IdleTimeout = TimeSpan.FromMinutes(20));
builder.Services.AddHybridCache();

// Session cookies are encrypted, so all processes need the same keys. Keys must not be in a cache, which may evict them.
string keys = builder.Configuration["Keys"] ?? Path.Combine(builder.Environment.ContentRootPath, "keys");
builder.Services.AddDataProtection().SetApplicationName("WebSite").PersistKeysToFileSystem(Directory.CreateDirectory(keys));

builder.Services.AddLarderOutputCache(options => options.KeyPrefix = "pages:");
builder.Services.AddOutputCache();

builder.Services.AddHealthChecks().AddLarder();

WebApplication app = builder.Build();
app.UseSession();
app.UseOutputCache();
app.MapHealthChecks("/health");

app.MapGet("/visits", (HttpContext context) =>
{
    int visits = (context.Session.GetInt32("visits") ?? 0) + 1;
    context.Session.SetInt32("visits", visits);
    return visits;
});

app.MapGet("/orders/{id}", (int id, HybridCache cache, CancellationToken stop) => cache.GetOrCreateAsync(
    $"order:{id}",
    _ => ValueTask.FromResult($"order {id}, read by process {Environment.ProcessId}"),
    new HybridCacheEntryOptions { Expiration = TimeSpan.FromMinutes(10), LocalCacheExpiration = TimeSpan.FromSeconds(5) },
    ["orders"],
    stop));
app.MapDelete("/orders", (HybridCache cache, CancellationToken stop) => cache.RemoveByTagAsync("orders", stop));

app.MapGet("/report", () => $"made by process {Environment.ProcessId} at {DateTimeOffset.UtcNow:O}")
    .CacheOutput(policy => policy.Expire(TimeSpan.FromMinutes(10)).Tag("reports"));
app.MapDelete("/report", (IOutputCacheStore store, CancellationToken stop) => store.EvictByTagAsync("reports", stop));

await app.RunAsync();
