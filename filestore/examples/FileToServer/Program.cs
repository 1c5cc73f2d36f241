using Larder.Client;
using Larder.FileStore;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.Extensions.Caching.Distributed;

// An application that caches in a file (--Folder PATH) or, when it outgrows the file, on a server (--Server http://host:8080). The two variants differ in only
// one registration.
WebApplicationBuilder builder = WebApplication.CreateBuilder(args);
string folder = builder.Configuration["Folder"] ?? Path.Combine(builder.Environment.ContentRootPath, "cache");

if (builder.Configuration["Server"] is not { } url)
{
    builder.Services.AddDistributedFileStoreCache(options =>
    {
        options.WhichVersion = FileStoreCacheVersions.IDistributedCache;
        options.PathToCacheFileDirectory = folder;
    }, builder.Environment);
}
else
{
    builder.Services.AddLarderDistributedCache(configureClient: options => options.Url = url);
}

// The code below does not depend on where the cache is.
builder.Services.AddSession(options => options.IdleTimeout = TimeSpan.FromMinutes(20));
builder.Services.AddDataProtection()
    .SetApplicationName("FileToServer")
    .PersistKeysToFileSystem(Directory.CreateDirectory(Path.Combine(folder, "keys")));

WebApplication app = builder.Build();
app.UseSession();

app.MapGet("/visits", (HttpContext context) =>
{
    int visits = (context.Session.GetInt32("visits") ?? 0) + 1;
    context.Session.SetInt32("visits", visits);
    return visits;
});

app.MapPut("/values/{key}", async (string key, int? seconds, int? slidingSeconds, HttpRequest request, IDistributedCache cache) =>
{
    using MemoryStream body = new();
    await request.Body.CopyToAsync(body);
    await cache.SetAsync(key, body.ToArray(), new DistributedCacheEntryOptions
    {
        AbsoluteExpirationRelativeToNow = seconds is { } life ? TimeSpan.FromSeconds(life) : null,
        SlidingExpiration = slidingSeconds is { } idle ? TimeSpan.FromSeconds(idle) : null,
    }, request.HttpContext.RequestAborted);
});
app.MapGet("/values/{key}", async (string key, IDistributedCache cache, CancellationToken token) =>
    await cache.GetAsync(key, token) is { } value ? Results.Bytes(value) : Results.NotFound());
app.MapPost("/values/{key}/refresh", (string key, IDistributedCache cache, CancellationToken token) => cache.RefreshAsync(key, token));
app.MapDelete("/values/{key}", (string key, IDistributedCache cache, CancellationToken token) => cache.RemoveAsync(key, token));

await app.RunAsync();
