using System.Net;

namespace Larder.FileStore.Tests;

/// <summary>Tests the ASP.NET Core example over HTTP, with two processes that share one folder.</summary>
public sealed class WebExampleTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Two_processes_share_sessions_cached_pages_and_values()
    {
        using WebProcess first = WebProcess.StartExample("TwoProcesses", "--Folder", _folder.Path);
        using WebProcess second = WebProcess.StartExample("TwoProcesses", "--Folder", _folder.Path);
        using HttpClient http = new(new HttpClientHandler { CookieContainer = new CookieContainer() });

        // Session state: either process can serve the requests of one visitor.
        Assert.Equal("1", await http.GetStringAsync(first.Url("/visits")));
        Assert.Equal("2", await http.GetStringAsync(second.Url("/visits")));
        Assert.Equal("3", await http.GetStringAsync(first.Url("/visits")));

        // Output caching: one process generates a page, and the other process serves it until one of the processes evicts it.
        string page = await GetReport(http, first);
        Assert.Contains($"process {first.Id}", page);
        Assert.Equal(page, await GetReport(http, second));
        (await http.PostAsync(second.Url("/report/evict"), null)).EnsureSuccessStatusCode();
        Assert.Contains($"process {second.Id}", await GetReport(http, second));
        Assert.Contains($"process {second.Id}", await GetReport(http, first));

        // A write in one process is visible in the other immediately.
        for (int i = 0; i < 200; i++)
        {
            (WebProcess writer, WebProcess reader) = i % 2 == 0 ? (first, second) : (second, first);
            (await http.PutAsync(writer.Url("/values/key"), new StringContent("value " + i))).EnsureSuccessStatusCode();
            Assert.Equal("value " + i, await http.GetStringAsync(reader.Url("/values/key")));
        }
        Assert.Equal(HttpStatusCode.NotFound, (await http.GetAsync(first.Url("/values/none"))).StatusCode);
        Assert.Equal("Healthy", await http.GetStringAsync(second.Url("/health")));
    }

    /// <summary>
    /// Requests the page with a fixed host name, because pages are cached by host. Both processes serve this host name, as behind a load balancer.
    /// </summary>
    private static async Task<string> GetReport(HttpClient http, WebProcess process)
    {
        using HttpRequestMessage request = new(HttpMethod.Get, process.Url("/report"));
        request.Headers.Host = "shop.example";
        using HttpResponseMessage response = await http.SendAsync(request);
        return await response.EnsureSuccessStatusCode().Content.ReadAsStringAsync();
    }
}
