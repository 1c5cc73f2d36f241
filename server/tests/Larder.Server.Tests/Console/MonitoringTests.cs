using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Google.Protobuf;
using Larder.Harness;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Faults;
using Larder.Server.Tests.Fleet;
using Larder.Server.Tests.Pipeline;
using Larder.Server.Tests.Snapshots;
using Larder.Wire;

namespace Larder.Server.Tests.Console;

/// <summary>Tests of monitoring: the metrics, the alerts in <c>deploy/prometheus</c> and the dashboard in <c>deploy/grafana</c>.</summary>
public sealed partial class MonitoringTests
{
    private static readonly HttpClient Http = new();

    [PromtoolFact]
    public async Task Metrics_pass_promtool_check()
    {
        (int code, string said) = await Promtool.RunAsync(await MetricsAsync(), "check", "metrics");
        Assert.Equal((0, ""), (code, said));
    }

    [PromtoolFact]
    public async Task Alert_rules_are_valid_and_their_tests_pass()
    {
        (int code, string said) = await Promtool.RunAsync("", "check", "rules", Deployed("prometheus/alerts.yml"));
        Assert.True(code == 0, said);
        (code, said) = await Promtool.RunAsync("", "test", "rules", Deployed("prometheus/alerts.test.yml"));
        Assert.True(code == 0, said);
        string tests = await File.ReadAllTextAsync(Deployed("prometheus/alerts.test.yml"));
        Assert.All(
            AlertName().Matches(await File.ReadAllTextAsync(Deployed("prometheus/alerts.yml"))).Select(match => match.Groups[1].Value),
            alert => Assert.Matches($@"alertname: {alert}\n\s+exp_alerts:", tests));
    }

    [PromtoolFact]
    public async Task Prometheus_configuration_is_valid()
    {
        (int code, string said) = await Promtool.RunAsync("", "check", "config", Deployed("prometheus/prometheus.yml"));
        Assert.True(code == 0, said);
    }

    [PromtoolFact]
    public async Task Dashboard_panels_use_valid_queries()
    {
        string path = Path.GetTempFileName();
        try
        {
            IEnumerable<string> rules = Panels().Select((expression, index) =>
                $"      - {{ record: \"panel:{index}\", expr: {JsonSerializer.Serialize(expression)} }}");
            await File.WriteAllTextAsync(path, $"groups:\n  - name: panels\n    rules:\n{string.Join('\n', rules)}\n");
            (int code, string said) = await Promtool.RunAsync("", "check", "rules", path);
            Assert.True(code == 0, said);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public async Task Alerts_and_dashboard_use_existing_metrics()
    {
        await using SnapshotServer keeper = new();
        await keeper.StartAsync();
        string metrics = await MetricsAsync() + await MetricsAsync("redis://127.0.0.1:1") + await keeper.ReadAsync("/metrics");
        HashSet<string> there = [.. MetricName().Matches(metrics).Select(match => match.Groups[1].Value)];
        string alerts = await File.ReadAllTextAsync(Deployed("prometheus/alerts.yml"));
        string[] asked = [.. Asked().Matches(string.Join('\n', Panels()) + alerts).Select(match => Family().Replace(match.Value, "")).Distinct()];
        Assert.True(asked.Length > 20);
        // The store can estimate this ratio only after it has evicted an entry.
        Assert.Empty(asked.Except(there).Except(["cache_hit_ratio_estimate"]));
    }

    [Fact]
    public async Task Metrics_report_request_and_response_bytes_by_RPC_and_transport()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        SetRequest set = new() { Key = CallHarness.Bytes("k"), Value = CallHarness.Bytes(new string('v', 100_000)), TtlMs = 60_000 };
        await server.CallAsync<SetResponse>("/cache_client.Scs/Set", set);
        await server.CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest { Key = set.Key });
        await using (PipelineClient client = await PipelineClient.OpenAsync(server, RunningServer.CacheHeaders()))
        {
            Assert.Equal(CacheResult.Ok, (await client.AskAsync(PipelineStreamTests.Set(1, "k", new string('v', 50_000)))).Set.Result);
            Assert.Equal(CacheResult.Hit, (await client.AskAsync(PipelineStreamTests.Get(2, "k"))).Get.Result);
            Operation unknown = PipelineStreamTests.Get(3, "k");
            unknown.Cache = "unknown";
            Assert.Equal((uint)StatusCode.NotFound, (await client.AskAsync(unknown)).Status.Code);
        }

        string metrics = "";
        await Until.TrueAsync(
            async () =>
            {
                metrics = await Http.GetStringAsync(new Uri(server.Server.ConsoleEndpoint, "/metrics"));
                return Moved(metrics, "sent", "Get", "pipeline") > 0;
            },
            "the turn's bytes are counted");
        Assert.InRange(Moved(metrics, "received", "Set", "unary"), 100_000, 100_100);
        Assert.InRange(Moved(metrics, "sent", "Set", "unary"), 5, 20);
        Assert.InRange(Moved(metrics, "received", "Get", "unary"), 5, 20);
        Assert.InRange(Moved(metrics, "sent", "Get", "unary"), 100_000, 100_100);
        Assert.InRange(Moved(metrics, "received", "Set", "pipeline"), 50_000, 50_100);
        Assert.InRange(Moved(metrics, "sent", "Set", "pipeline"), 2, 20);
        Assert.InRange(Moved(metrics, "received", "Get", "pipeline"), 2, 20);
        // One response is a hit, and the other is a failure with its message.
        Assert.InRange(Moved(metrics, "sent", "Get", "pipeline"), 50_010, 50_200);
    }

    private static long Moved(string metrics, string way, string rpc, string transport)
    {
        string line = $"larder_rpc_{way}_bytes_total{{rpc=\"{rpc}\",transport=\"{transport}\"}} ";
        string? found = metrics.Split('\n').FirstOrDefault(each => each.StartsWith(line, StringComparison.Ordinal));
        return found is null ? 0 : long.Parse(found[line.Length..], CultureInfo.InvariantCulture);
    }

    [Fact]
    public async Task Metrics_report_build_information_refused_connections_and_garbage_collections()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { MaxConnections = 1 });
        await server.CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest { Key = CallHarness.Bytes("k") });
        await using RpcChannel second = StallTolerantChannel.To(server.Server.Endpoint);
        await Assert.ThrowsAsync<RpcException>(async () => await second.UnaryAsync(
            new RpcMethod<byte[], byte[]>("/cache_client.Ping/Ping", new RawCodec(), new RawCodec()),
            [],
            RpcHeaders.Empty,
            TimeSpan.FromSeconds(1),
            CancellationToken.None));
        string metrics = await Http.GetStringAsync(new Uri(server.Server.ConsoleEndpoint, "/metrics"));
        Assert.Matches("larder_build_info\\{version=\"[0-9.]+\",runtime=\"[0-9.]+\",os=\"[a-z]+\"\\} 1\n", metrics);
        Assert.Matches("\nlarder_connections_refused_total [1-9]", metrics);
        Assert.Matches("\ndotnet_collections_total\\{generation=\"0\"\\} [0-9]+\n", metrics);
        Assert.Contains("\nlarder_ready 1\n", metrics, StringComparison.Ordinal);
    }

    private static async Task<string> MetricsAsync(string store = "memory")
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { Store = store });
        ByteString key = CallHarness.Bytes("k");
        if (store == "memory")
        {
            await server.CallAsync<SetResponse>("/cache_client.Scs/Set", new SetRequest { Key = key, Value = key, TtlMs = 1_000 });
        }

        await Assert.ThrowsAsync<RpcException>(async () => await server.CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest()));
        return await Http.GetStringAsync(new Uri(server.Server.ConsoleEndpoint, "/metrics"));
    }

    private static string Deployed(string path) => Checkout.At($"deploy/{path}");

    /// <summary>Returns the queries of the dashboard's panels, with the variables replaced in the same way as in Grafana.</summary>
    private static IEnumerable<string> Panels()
    {
        using JsonDocument dashboard = JsonDocument.Parse(File.ReadAllText(Deployed("grafana/larder.json")));
        return
        [
            .. dashboard.RootElement.GetProperty("panels").EnumerateArray()
                .Where(panel => panel.TryGetProperty("targets", out _))
                .SelectMany(panel => panel.GetProperty("targets").EnumerateArray())
                .Select(target => target.GetProperty("expr").GetString()!
                    .Replace("$__rate_interval", "1m", StringComparison.Ordinal)
                    .Replace("$instance", ".*", StringComparison.Ordinal)
                    .Replace("$rpc", ".*", StringComparison.Ordinal)),
        ];
    }

    [GeneratedRegex("alert: (\\w+)")]
    private static partial Regex AlertName();

    [GeneratedRegex("# TYPE (\\w+)")]
    private static partial Regex MetricName();

    [GeneratedRegex("\\b(?:larder|cache|process|dotnet)_[a-z_]+")]
    private static partial Regex Asked();

    [GeneratedRegex("_(bucket|count|sum)$")]
    private static partial Regex Family();
}
