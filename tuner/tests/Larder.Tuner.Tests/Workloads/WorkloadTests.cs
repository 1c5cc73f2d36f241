using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Processes;
using Larder.Tuner.Workloads;

namespace Larder.Tuner.Tests.Workloads;

public sealed class WorkloadTests
{
    [Fact]
    public void Workload_file_fields_reach_agent_and_report()
    {
        var workload = Workload.FromJson(
            """{"keys": 5000, "zipf": 0.9, "hitRatio": 0.75, "readRatio": 0.9, "valueBytesMix": [[100, 3], [4000, 1]], "ttlMs": 30000}""",
            "shop.json",
            "/");
        JsonObject sent = workload.ForAgent(preload: true);
        Assert.Equal(0.25, (double)sent["missRatio"]!);
        Assert.False(sent.ContainsKey("hitRatio"));
        Assert.True((bool)sent["preload"]!);
        TunedWorkload told = workload.Describe();
        Assert.Equal(("shop.json", 5000, 0.9, "100 … 4,000 B", 30_000), (told.Name, told.Keys, told.Zipf, told.Values, told.TtlMs));
    }

    [Fact]
    public void Preload_is_skipped_on_request_and_for_traces_by_default()
    {
        Assert.False((bool)Workload.Reference.ForAgent(preload: false)["preload"]!);
        Assert.False((bool)Workload.FromJson("""{"trace": "day.csv"}""", "t", "/traces").ForAgent(preload: true)["preload"]!);
        Assert.True((bool)Workload.FromJson("""{"trace": "day.csv", "preload": true}""", "t", "/traces").ForAgent(preload: true)["preload"]!);
    }

    [Fact]
    public void Trace_path_is_relative_to_workload_file() =>
        Assert.Equal("/traces/day.csv", (string?)Workload.FromJson("""{"trace": "day.csv"}""", "t", "/traces").ForAgent(true)["trace"]);

    [Theory]
    [InlineData("[]", "object")]
    [InlineData("{", "t:")]
    [InlineData("""{"zipff": 1}""", "zipff")]
    [InlineData("""{"hitRatio": 2}""", "hitRatio")]
    public void Invalid_workload_is_rejected_with_reason(string json, string reason) =>
        Assert.Contains(reason, Assert.Throws<FormatException>(() => Workload.FromJson(json, "t", "/")).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("shop.json")]
    [InlineData("replay.json")]
    [InlineData("production-trace.csv")]
    public void Committed_workloads_are_accepted_by_agent(string file)
    {
        var workload = Workload.Parse(Path.Combine(Programs.Root, "tuner/workloads", file));
        using var sent = JsonDocument.Parse(workload.ForAgent(preload: true).ToJsonString());
        Assert.NotNull(new LoadItems(LoadWorkload.From(sent.RootElement)));
    }

    [Fact]
    public void Missing_workload_file_is_reported() =>
        Assert.Contains("does not exist", Assert.Throws<FormatException>(() => Workload.Parse("nowhere.json")).Message, StringComparison.Ordinal);
}
