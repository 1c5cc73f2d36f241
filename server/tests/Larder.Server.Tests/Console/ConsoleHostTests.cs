using System.Net;
using System.Text.Json;
using Larder.Harness.Processes;
using Larder.Protocol;
using Larder.Server.Tests.Calls;

namespace Larder.Server.Tests.Console;

public sealed class ConsoleHostTests
{
    private static readonly HttpClient Http = new();

    [Fact]
    public async Task Metrics_stats_and_health_endpoints_report_server_activity()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await server.CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest { Key = CallHarness.Bytes("k") });
        Assert.Equal("ok\n", await Http.GetStringAsync(At(server, "/health")));

        using JsonDocument stats = JsonDocument.Parse(await Http.GetStringAsync(At(server, "/stats")));
        JsonElement rpc = Assert.Single(stats.RootElement.GetProperty("rpcs").EnumerateArray());
        Assert.Equal("Get", rpc.GetProperty("rpc").GetString());
        Assert.Equal(1, rpc.GetProperty("count").GetInt64());
        Assert.Equal(1, stats.RootElement.GetProperty("store").GetProperty("total").GetProperty("misses").GetInt64());
        Assert.Equal(0, stats.RootElement.GetProperty("store").GetProperty("flushedBytes").GetInt64());
        Assert.Equal(1, stats.RootElement.GetProperty("connections").GetInt64());

        string metrics = await Http.GetStringAsync(At(server, "/metrics"));
        Assert.Contains("cache_misses_total{cache=\"cache\"} 1\n", metrics, StringComparison.Ordinal);
        Assert.Contains("cache_memory_flushed_bytes 0\n", metrics, StringComparison.Ordinal);
        Assert.Contains("larder_rpc_duration_seconds_count{rpc=\"Get\",transport=\"unary\"} 1\n", metrics, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A3_request_with_foreign_host_header_is_rejected()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using HttpRequestMessage request = new(HttpMethod.Get, At(server, "/stats"));
        request.Headers.Host = "evil.example";
        using HttpResponseMessage response = await Http.SendAsync(request);
        Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
    }

    [Fact]
    public async Task A3_framework_settings_in_environment_open_no_port()
    {
        const string setting = "Kestrel__Endpoints__Another__Url";
        int port = FreePorts.Next();
        Environment.SetEnvironmentVariable(setting, $"http://127.0.0.1:{port}");
        try
        {
            await using RunningServer server = await RunningServer.StartAsync();
            Assert.Equal("ok\n", await Http.GetStringAsync(At(server, "/health")));
            await Assert.ThrowsAsync<HttpRequestException>(() => Http.GetStringAsync(new Uri($"http://127.0.0.1:{port}/health")));
        }
        finally
        {
            Environment.SetEnvironmentVariable(setting, null);
        }
    }

    [Fact]
    public async Task A3_post_to_stats_is_not_allowed()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using HttpResponseMessage response = await Http.PostAsync(At(server, "/stats"), content: null);
        Assert.Equal(HttpStatusCode.MethodNotAllowed, response.StatusCode);
    }

    [Fact]
    public async Task A3_post_from_another_site_is_rejected_on_every_path()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        foreach (string path in (string[])["/", "/health", "/metrics", "/stats", "/snapshot"])
        {
            using HttpRequestMessage request = new(HttpMethod.Post, At(server, path)) { Content = new StringContent("flush=cache") };
            request.Headers.Add("Origin", "https://evil.example");
            using HttpResponseMessage response = await Http.SendAsync(request);
            Assert.Contains(response.StatusCode, new[] { HttpStatusCode.MethodNotAllowed, HttpStatusCode.RequestEntityTooLarge, HttpStatusCode.Forbidden });
            Assert.False(response.Headers.Contains("Access-Control-Allow-Origin"));
        }
    }

    [Fact]
    public async Task A3_hostile_cache_name_is_escaped_in_stats_and_metrics()
    {
        const string name = "<script>alert(1)</script>\"\\\nlarder_streams 7";
        await using RunningServer server = await RunningServer.StartAsync(options => options with { DefaultCache = name });
        foreach ((string path, string type) in ((string, string)[])[("/stats", "application/json"), ("/metrics", "text/plain")])
        {
            using HttpResponseMessage response = await Http.GetAsync(At(server, path));
            Assert.Equal(type, response.Content.Headers.ContentType?.MediaType);
            Assert.Equal("nosniff", Assert.Single(response.Headers.GetValues("X-Content-Type-Options")));
        }

        string stats = await Http.GetStringAsync(At(server, "/stats"));
        Assert.DoesNotContain("<script>", stats, StringComparison.Ordinal);
        string metrics = await Http.GetStringAsync(At(server, "/metrics"));
        Assert.DoesNotContain("\nlarder_streams 7", metrics, StringComparison.Ordinal);
        Assert.Contains("\\\"\\\\\\nlarder_streams 7\"", metrics, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Unknown_path_returns_404_with_available_paths()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using HttpResponseMessage response = await Http.GetAsync(At(server, "/nowhere"));
        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
        Assert.Contains("/stats", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);
    }

    private static Uri At(RunningServer server, string path) => new(server.Server.ConsoleEndpoint, path);
}
