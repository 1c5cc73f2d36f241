using System.Net;
using Larder.Harness;

namespace Larder.Server.Tests.Console;

/// <summary>Tests of the files of the page, and of the access to these files.</summary>
public sealed class ConsolePageTests
{
    private const string PageFolder = "server/src/Larder.Server/Console/Page";

    [Fact]
    public async Task Page_files_are_served_with_protective_headers()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint);
        IEnumerable<string> scripts = Directory.GetFiles(Checkout.At(PageFolder), "*.js").Select(path => Path.GetFileName(path));
        string[] modules = [.. scripts.Where(name => !name.EndsWith(".spec.js", StringComparison.Ordinal))];
        Assert.Contains("main.js", modules);
        foreach (string path in (string[])["/", "/page/style.css", "/page/parts.css", "/page/icon.svg", .. modules.Select(name => $"/page/{name}")])
        {
            using HttpResponseMessage file = await console.GetAsync(path);
            Assert.Equal(HttpStatusCode.OK, file.StatusCode);
            byte[] wanted = await File.ReadAllBytesAsync(Checkout.At($"{PageFolder}/{(path == "/" ? "index.html" : path[6..])}"));
            Assert.Equal(wanted, await file.Content.ReadAsByteArrayAsync());
            AssertProtected(file);
        }

        foreach (string path in (string[])["/page/package.json", "/page/answers.d.ts", "/page/rates.spec.js", "/page/../Log.cs", "/page/"])
        {
            using HttpResponseMessage none = await console.GetAsync(path);
            Assert.Equal(HttpStatusCode.NotFound, none.StatusCode);
        }
    }

    [Fact]
    public async Task A3_API_responses_have_protective_headers()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint);
        foreach (string path in (string[])["/api/session", "/api/overview", "/api/caches", "/api/nothing"])
        {
            using HttpResponseMessage answer = await console.GetAsync(path);
            AssertProtected(answer);
            Assert.Equal("application/json", answer.Content.Headers.ContentType?.MediaType);
        }
    }

    [Theory]
    [InlineData("localhost", true)]
    [InlineData("127.0.0.1", true)]
    [InlineData("[::1]", true)]
    [InlineData("CACHE.example.com", true)]
    [InlineData("evil.example", false)]
    [InlineData("localhost.evil.example", false)]
    [InlineData("10.1.2.3", false)]
    public async Task A3_page_is_served_only_under_its_own_host_names(string name, bool isOurs)
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { ConsoleNames = ["cache.example.com"] });
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint) { Host = $"{name}:{server.Server.ConsoleEndpoint.Port}" };
        foreach (string path in (string[])["/", "/page/main.js", "/api/session", "/api/overview"])
        {
            using HttpResponseMessage answer = await console.GetAsync(path);
            Assert.Equal(isOurs ? HttpStatusCode.OK : HttpStatusCode.Forbidden, answer.StatusCode);
        }
    }

    [Fact]
    public void Console_name_must_be_a_host_name()
    {
        (new ServerOptions { ConsoleNames = ["cache.example.com", "larder"] }).Validate();
        foreach (string name in (string[])["http://a", "a:80", "", "a b", "10.0.0.1"])
        {
            Assert.Throws<ServerOptionsException>((new ServerOptions { ConsoleNames = [name] }).Validate);
        }
    }

    private static void AssertProtected(HttpResponseMessage answer)
    {
        string policy = Assert.Single(answer.Headers.GetValues("Content-Security-Policy"));
        Assert.StartsWith("default-src 'none'; script-src 'self'; style-src 'self'", policy, StringComparison.Ordinal);
        Assert.Contains("frame-ancestors 'none'", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);
        Assert.Equal("nosniff", Assert.Single(answer.Headers.GetValues("X-Content-Type-Options")));
        Assert.Equal("no-referrer", Assert.Single(answer.Headers.GetValues("Referrer-Policy")));
        Assert.Equal("no-store", answer.Headers.CacheControl?.ToString());
        Assert.False(answer.Headers.Contains("Access-Control-Allow-Origin"));
    }
}
