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
    public void A_files_fields_reach_the_agent_and_the_report()
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
    public void Keys_are_set_beforehand_once_and_a_traces_only_when_it_says_so()
    {
        Assert.False((bool)Workload.Reference.ForAgent(preload: false)["preload"]!);
        Assert.False((bool)Workload.FromJson("""{"trace": "day.csv"}""", "t", "/traces").ForAgent(preload: true)["preload"]!);
        Assert.True((bool)Workload.FromJson("""{"trace": "day.csv", "preload": true}""", "t", "/traces").ForAgent(preload: true)["preload"]!);
    }

    [Fact]
    public void A_trace_is_looked_for_beside_the_file_that_names_it() =>
        Assert.Equal("/traces/day.csv", (string?)Workload.FromJson("""{"trace": "day.csv"}""", "t", "/traces").ForAgent(true)["trace"]);

    [Theory]
    [InlineData("[]", "object")]
    [InlineData("{", "t:")]
    [InlineData("""{"zipff": 1}""", "zipff")]
    [InlineData("""{"hitRatio": 2}""", "hitRatio")]
    public void What_is_no_workload_is_refused_with_the_reason(string json, string reason) =>
        Assert.Contains(reason, Assert.Throws<FormatException>(() => Workload.FromJson(json, "t", "/")).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("shop.json")]
    [InlineData("replay.json")]
    [InlineData("production-trace.csv")]
    public void The_committed_workloads_are_ones_that_an_agent_takes(string file)
    {
        var workload = Workload.Parse(Path.Combine(Programs.Root, "tuner/workloads", file));
        using var sent = JsonDocument.Parse(workload.ForAgent(preload: true).ToJsonString());
        Assert.NotNull(new LoadItems(LoadWorkload.From(sent.RootElement)));
    }

    [Fact]
    public void A_file_that_is_not_there_is_said() =>
        Assert.Contains("no file", Assert.Throws<FormatException>(() => Workload.Parse("nowhere.json")).Message, StringComparison.Ordinal);
}
