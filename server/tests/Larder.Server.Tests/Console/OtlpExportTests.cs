using System.Net;
using System.Text;
using Larder.Harness.Processes;
using Larder.Protocol;
using Larder.Server.Tests.Calls;

namespace Larder.Server.Tests.Console;

public sealed class OtlpExportTests
{
    [Fact]
    public async Task Metrics_are_exported_to_the_collector_at_shutdown()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-otlp-");
        using HttpListener collector = new();
        int port = FreePorts.Next();
        collector.Prefixes.Add($"http://127.0.0.1:{port}/");
        collector.Start();
        Task<(string Path, string Type, string Body)> taking = TakeAsync(collector);
        await using (RunningServer server = await RunningServer.StartAsync(
            options => options with { OtlpEndpoint = new Uri($"http://127.0.0.1:{port}"), SnapshotPath = Path.Combine(folder.FullName, "snapshot") }))
        {
            await server.CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest { Key = CallHarness.Bytes("k") });
        }

        (string path, string type, string body) = await taking.WaitAsync(RunningServer.Patience);
        Assert.Equal(("/v1/metrics", "application/x-protobuf"), (path, type));
        folder.Delete(recursive: true);
        string[] named =
        [
            "larder.calls", "larder.latency", "larder.received", "larder.sent", "larder.cache.misses", "larder.cache.quota", "larder.memory.used",
            "larder.ready", "larder.snapshot.failures", "larder.snapshot.loaded", "Get", "unary", "service.name",
        ];
        Assert.All(
            named,
            name => Assert.Contains(name, body, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Unavailable_collector_does_not_affect_the_server()
    {
        using HttpListener silent = new();
        int port = FreePorts.Next();
        silent.Prefixes.Add($"http://127.0.0.1:{port}/");
        silent.Start();
        foreach (int at in (int[])[port, FreePorts.Next()])
        {
            RunningServer server = await RunningServer.StartAsync(options => options with { OtlpEndpoint = new Uri($"http://127.0.0.1:{at}") });
            await server.CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest { Key = CallHarness.Bytes("k") });
            await server.DisposeAsync().AsTask().WaitAsync(RunningServer.Patience);
        }
    }

    [Theory]
    [InlineData("ftp://collector:4318")]
    [InlineData("collector:4318")]
    public void Invalid_collector_url_is_rejected(string url) =>
        Assert.Contains(
            "--otlp",
            Assert.Throws<ServerOptionsException>(() => new ServerOptions { OtlpEndpoint = new Uri(url) }.Validate()).Message,
            StringComparison.Ordinal);

    private static async Task<(string Path, string Type, string Body)> TakeAsync(HttpListener collector)
    {
        HttpListenerContext context = await collector.GetContextAsync();
        using MemoryStream body = new();
        await context.Request.InputStream.CopyToAsync(body);
        context.Response.Close();
        return (context.Request.Url!.AbsolutePath, context.Request.ContentType ?? "", Encoding.Latin1.GetString(body.ToArray()));
    }
}
