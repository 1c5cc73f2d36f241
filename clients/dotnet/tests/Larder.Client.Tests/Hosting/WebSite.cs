using Larder.Testing;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Tests.Hosting;

/// <summary>
/// A real ASP.NET Core site with cached pages, on a free local port. The site counts the requests for which it renders a page. Requests that the output cache
/// serves do not count.
/// </summary>
internal sealed class WebSite : IAsyncDisposable
{
    private readonly WebApplication _app;
    private readonly HttpClient _http;
    private int _made;

    private WebSite(WebApplication app)
    {
        _app = app;
        Uri address = new(app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First());
        _http = new HttpClient { BaseAddress = address };
    }

    /// <summary>Gets the source whose task completes when the site starts to render the slow page.</summary>
    public TaskCompletionSource IsSlow { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Gets the source that the test completes to let the site finish the slow page.</summary>
    public TaskCompletionSource CanContinue { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public int Made => Volatile.Read(ref _made);

    public LarderOutputCacheStore Store => _app.Services.GetRequiredService<LarderOutputCacheStore>();

    public CacheClient Client => _app.Services.GetRequiredService<CacheClient>();

    public static async Task<WebSite> StartAsync(string url, TimeSpan? requestTimeout = null)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddLarderOutputCache(configureClient: options =>
        {
            options.Url = url;
            options.RequestTimeout = requestTimeout ?? TimeSpan.FromSeconds(40);
        });
        builder.Services.AddOutputCache();
        WebApplication app = builder.Build();
        WebSite? site = null;
        app.UseOutputCache();
        app.MapGet("/plain", () => $"plain {Interlocked.Increment(ref site!._made)}").CacheOutput();
        app.MapGet("/news/{id}", (int id) => $"news {id}: {Interlocked.Increment(ref site!._made)}")
            .CacheOutput(static policy => policy.Tag("news").Tag("all").SetVaryByRouteValue("id"));
        app.MapGet("/shop", () => $"shop {Interlocked.Increment(ref site!._made)}").CacheOutput(static policy => policy.Tag("all"));
        app.MapGet("/slow", async () =>
        {
            site!.IsSlow.TrySetResult();
            await site.CanContinue.Task;
            return $"slow {Interlocked.Increment(ref site._made)}";
        }).CacheOutput(static policy => policy.Tag("news"));
        app.MapGet("/query", (string q) => $"{q} {Interlocked.Increment(ref site!._made)}").CacheOutput(static policy => policy.SetVaryByQuery("q"));
        app.MapGet("/large/{bytes}", (int bytes) =>
        {
            Interlocked.Increment(ref site!._made);
            return Results.Bytes(new byte[bytes]);
        }).CacheOutput();
        app.MapPost("/evict/{tag}", (string tag, IOutputCacheStore store, CancellationToken stop) => store.EvictByTagAsync(tag, stop));
        await app.StartAsync();
        return site = new WebSite(app);
    }

    /// <summary>Requests a page. The host name is the same for every site, as behind one load balancer.</summary>
    public async Task<string> GetAsync(string path)
    {
        using HttpRequestMessage request = new(HttpMethod.Get, path) { Headers = { Host = "shop.example" } };
        using HttpResponseMessage response = await _http.SendAsync(request);
        return await response.EnsureSuccessStatusCode().Content.ReadAsStringAsync();
    }

    public async Task<bool> EvictAsync(string tag)
    {
        using HttpResponseMessage response = await _http.PostAsync($"/evict/{tag}", null);
        return response.IsSuccessStatusCode;
    }

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await _app.DisposeAsync();
    }
}
