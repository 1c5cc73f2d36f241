using Larder.FileStore;
using Larder.FileStore.Examples.TwoProcesses;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.OutputCaching;

// Run this program twice with the same --Folder and different --urls. The two processes share sessions, cached pages and values.
WebApplicationBuilder builder = WebApplication.CreateBuilder(args);
string folder = builder.Configuration["Folder"] ?? Path.Combine(builder.Environment.ContentRootPath, "cache");

// Registers a cache file for session state and all other code that uses IDistributedCache.
builder.Services.AddDistributedFileStoreCache(options =>
{
    options.WhichVersion = FileStoreCacheVersions.IDistributedCache;
    options.PathToCacheFileDirectory = folder;
}, builder.Environment);
builder.Services.AddSession(options => options.IdleTimeout = TimeSpan.FromMinutes(20));

// Session cookies are encrypted, so the processes need the same keys.
builder.Services.AddDataProtection()
    .SetApplicationName("TwoProcesses")
    .PersistKeysToFileSystem(Directory.CreateDirectory(Path.Combine(folder, "keys")));

// Cached pages have a separate cache file. That cache evicts entries when it is full.
builder.Services.AddKeyedDistributedFileStoreCache("pages", options =>
{
    options.WhichVersion = FileStoreCacheVersions.Bytes;
    options.PathToCacheFileDirectory = folder;
    options.FirstPartOfCacheFileName = "Pages";
    options.WhenFull = FileStoreFullMode.Evict;
}, builder.Environment);
builder.Services.AddSingleton<IOutputCacheStore, FileOutputCacheStore>();
builder.Services.AddOutputCache();

// Registers a separate cache file for the application's own values.
builder.Services.AddKeyedDistributedFileStoreCache("values", options =>
{
    options.PathToCacheFileDirectory = folder;
    options.FirstPartOfCacheFileName = "Values";
}, builder.Environment);

builder.Services.AddHealthChecks()
    .AddDistributedFileStoreCache("sessions")
    .AddDistributedFileStoreCache("pages", "pages")
    .AddDistributedFileStoreCache("values", "values");

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

app.MapGet("/report", () => $"made by process {Environment.ProcessId} at {DateTimeOffset.UtcNow:O}")
    .CacheOutput(policy => policy.Expire(TimeSpan.FromMinutes(10)).Tag("reports"));
app.MapPost("/report/evict", (IOutputCacheStore store, CancellationToken token) => store.EvictByTagAsync("reports", token));

app.MapPut("/values/{key}", async (string key, HttpRequest request, [FromKeyedServices("values")] IDistributedFileStoreCacheString values) =>
{
    using StreamReader body = new(request.Body);
    values.Set(key, await body.ReadToEndAsync());
});
app.MapGet("/values/{key}", (string key, [FromKeyedServices("values")] IDistributedFileStoreCacheString values) =>
    values.Get(key) is { } value ? Results.Text(value) : Results.NotFound());

await app.RunAsync();
