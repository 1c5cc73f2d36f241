using System.Net;
using Larder.Harness;
using Larder.Testing;

namespace Larder.Client.Tests.Hosting;

/// <summary>Tests the web site of the guide over HTTP. Two processes share one server.</summary>
public sealed class WebSiteExampleTests
{
    [Fact]
    public async Task WebSite_example_shares_state_between_processes_and_survives_server_loss()
    {
        string keys = Directory.CreateTempSubdirectory("larder-site-").FullName;
        LarderTestServer server = await LarderTestServer.StartAsync();
        using WebProcess first = WebProcess.Start(server.Url, keys);
        using WebProcess second = WebProcess.Start(server.Url, keys);
        using HttpClient http = new(new HttpClientHandler { CookieContainer = new CookieContainer() });

        Assert.Equal("1", await http.GetStringAsync(first.Url("/visits")));
        Assert.Equal("2", await http.GetStringAsync(second.Url("/visits")));
        Assert.Equal("3", await http.GetStringAsync(first.Url("/visits")));

        string order = await http.GetStringAsync(first.Url("/orders/7"));
        Assert.Contains($"process {first.Id}", order, StringComparison.Ordinal);
        Assert.Equal(order, await http.GetStringAsync(first.Url("/orders/7")));
        (await http.DeleteAsync(second.Url("/orders"))).EnsureSuccessStatusCode();
        Assert.Contains($"process {second.Id}", await http.GetStringAsync(second.Url("/orders/7")), StringComparison.Ordinal);

        string report = await ReportAsync(http, first);
        Assert.Equal(report, await ReportAsync(http, second));
        (await http.DeleteAsync(second.Url("/report"))).EnsureSuccessStatusCode();
        Assert.Contains($"process {first.Id}", await ReportAsync(http, first), StringComparison.Ordinal);
        Assert.NotEqual(report, await ReportAsync(http, second));
        Assert.Equal("Healthy", await http.GetStringAsync(first.Url("/health")));

        await server.DisposeAsync();
        Assert.Equal(HttpStatusCode.OK, (await http.GetAsync(first.Url("/visits"))).StatusCode);
        Assert.Equal(HttpStatusCode.OK, (await http.GetAsync(second.Url("/orders/8"))).StatusCode);
        Assert.NotEqual(report, await ReportAsync(http, second));
        Assert.Equal(HttpStatusCode.InternalServerError, (await http.DeleteAsync(second.Url("/report"))).StatusCode);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, (await http.GetAsync(first.Url("/health"))).StatusCode);
        Directory.Delete(keys, recursive: true);
    }

    /// <summary>Tests that the guide's program is identical to the example.</summary>
    [Fact]
    public void AspNet_guide_contains_the_example_code()
    {
        string program = Checkout.Read("clients/dotnet/examples/WebSite/Program.cs").ReplaceLineEndings("\n");
        Assert.Contains($"```csharp\n{program}```", Checkout.Read("docs/guides/aspnet.md").ReplaceLineEndings("\n"), StringComparison.Ordinal);
    }

    // The output cache stores pages by host name. So the requests to both processes use the same host name, as behind a load balancer.
    private static async Task<string> ReportAsync(HttpClient http, WebProcess process)
    {
        using HttpRequestMessage request = new(HttpMethod.Get, process.Url("/report")) { Headers = { Host = "shop.example" } };
        using HttpResponseMessage response = await http.SendAsync(request);
        return await response.EnsureSuccessStatusCode().Content.ReadAsStringAsync();
    }
}
