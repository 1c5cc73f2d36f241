using System.Net;
using System.Net.Http.Headers;
using Larder.Server.Tests.Faults;

namespace Larder.Server.Tests.Console;

/// <summary>Tests of the access to the console. Callers on the loopback interface and callers with the token have access.</summary>
public sealed class ConsoleAccessTests
{
    private const string Token = "a-scraper's-token";

    [Fact]
    public void A3_non_loopback_console_requires_its_own_token()
    {
        ServerOptions beyond = new() { ConsoleHost = IPAddress.Any, Token = "of calls" };
        Assert.Contains("--console-token-file", Assert.Throws<ServerOptionsException>(beyond.Validate).Message, StringComparison.Ordinal);
        (beyond with { ConsoleToken = Token }).Validate();
        (beyond with { ConsoleTokenPath = "token" }).Validate();
        Assert.Throws<ServerOptionsException>((beyond with { ConsoleToken = "" }).Validate);
        Assert.Throws<ServerOptionsException>((beyond with { ConsoleToken = Token, ConsoleTokenPath = "token" }).Validate);
    }

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("0.0.0.0")]
    public async Task Console_token_is_required_except_for_health_endpoints(string host)
    {
        await using RunningServer server = await RunningServer.StartAsync(
            options => options with { ConsoleHost = IPAddress.Parse(host), ConsoleToken = Token });
        foreach (string path in (string[])["/metrics", "/stats", "/nowhere"])
        {
            Assert.Equal(HttpStatusCode.Unauthorized, await StatusAsync(server, path, token: null));
            Assert.Equal(HttpStatusCode.Unauthorized, await StatusAsync(server, path, Token + "x"));
        }

        Assert.Equal(HttpStatusCode.OK, await StatusAsync(server, "/metrics", Token));
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(server, "/stats", Token));
        Assert.Equal(HttpStatusCode.NotFound, await StatusAsync(server, "/nowhere", Token));
        foreach (string path in (string[])["/health", "/health/live", "/health/ready"])
        {
            Assert.Equal(HttpStatusCode.OK, await StatusAsync(server, path, token: null));
        }
    }

    [Fact]
    public async Task Non_loopback_console_uses_data_port_certificate()
    {
        using TestCertificates certificates = new();
        await using LarderServer server = await LarderServer.StartAsync(new ServerOptions
        {
            Port = 0,
            ConsolePort = 0,
            ConsoleHost = IPAddress.Any,
            ConsoleToken = Token,
            MemoryBytes = 64L << 20,
            TlsCertificatePath = certificates.CertificatePath,
            TlsKeyPath = certificates.KeyPath,
            ClientAuthorityPath = certificates.AuthorityPath,
        });
        Assert.Equal("https", server.ConsoleEndpoint.Scheme);
        using HttpClientHandler handler = new() { ServerCertificateCustomValidationCallback = (_, shown, _, _) => shown!.Subject == "CN=localhost" };
        using HttpClient http = new(handler);
        Assert.Equal("ok\n", await http.GetStringAsync(new Uri($"https://localhost:{server.ConsoleEndpoint.Port}/health")));
    }

    [Fact]
    public async Task Gateway_without_cluster_is_live_but_not_ready()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { Store = "redis://127.0.0.1:1" });
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(server, "/health/live", token: null));
        Assert.Equal(HttpStatusCode.ServiceUnavailable, await StatusAsync(server, "/health/ready", token: null));
        Assert.Equal(HttpStatusCode.ServiceUnavailable, await StatusAsync(server, "/health", token: null));
    }

    private static async Task<HttpStatusCode> StatusAsync(RunningServer server, string path, string? token)
    {
        using HttpClient http = new();
        using HttpRequestMessage request = new(HttpMethod.Get, new Uri($"http://127.0.0.1:{server.Server.ConsoleEndpoint.Port}{path}"));
        if (token is not null)
        {
            request.Headers.Host = "a.scrapers.name";
            request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
        }

        using HttpResponseMessage response = await http.SendAsync(request);
        return response.StatusCode;
    }
}
