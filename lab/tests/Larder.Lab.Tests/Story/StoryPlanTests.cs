using System.Text.Json.Nodes;
using Larder.Lab.Story;
using Larder.Tuner.Bench;

namespace Larder.Lab.Tests.Story;

public sealed class StoryPlanTests
{
    [Theory]
    [InlineData("dotnet", "naive channels callers connections deadline processes laptop region targets")]
    [InlineData("python", "naive channels pool callers loops deadline processes laptop region targets")]
    [InlineData("node", "naive channels pool callers deadline processes laptop region targets")]
    public void Each_language_has_its_published_experiments_in_order(string client, string ids)
    {
        IReadOnlyList<PlannedStep> plan = StoryPlan.Of(new StoryOptions { Client = client });
        Assert.Equal(ids, string.Join(' ', plan.Select(step => step.Id)));
        Assert.All(plan, step => Assert.True(step.Question.EndsWith('?') && step.Done.EndsWith('.'), step.Id));
        Assert.All(plan.Where(step => step.Id != StoryPlan.Targets), step => Assert.NotEmpty(step.Loads));
        Assert.All(plan, step => Assert.Equal(step.Loads.Count, step.Loads.Select(load => load.Name).Distinct().Count()));
    }

    [Fact]
    public void Plan_contains_only_requested_steps() =>
        Assert.Equal(["naive", "region"], StoryPlan.Of(new StoryOptions { Client = "node", Steps = ["region", "naive", "loops"] }).Select(step => step.Id));

    [Theory]
    [InlineData("dotnet")]
    [InlineData("python")]
    [InlineData("node")]
    public void Plan_with_fewer_callers_omits_published_values_for_more_callers(string client)
    {
        IReadOnlyList<PlannedStep> few = StoryPlan.Of(new StoryOptions { Client = client, Most = 1 });
        Assert.All(few.SelectMany(step => step.Loads), load => Assert.Equal(1, load.Callers));
        IEnumerable<PlannedStep> sweeps = few.Where(step => step.Id is "naive" or "channels" or "deadline" or "laptop" or "region");
        Assert.All(sweeps.SelectMany(step => step.Loads), load => Assert.Null(load.Published));
        IReadOnlyList<PlannedStep> all = StoryPlan.Of(new StoryOptions { Client = client });
        Assert.Equal(5_000, all.SelectMany(step => step.Loads).Max(load => load.Callers));
        Assert.Contains(all.Single(step => step.Id == "region").Loads, load => load.Published is not null);
    }

    [Fact]
    public void OpenRequest_sets_cap_only_for_Larder_clients()
    {
        JsonObject bare = StoryPlan.Of(new StoryOptions { Client = "node", Steps = ["pool"] }).Single().Loads[0].OpenRequest();
        Assert.Equal("""{"op":"open","channels":5,"subchannelPool":"shared","requestTimeoutMs":5000}""", bare.ToJsonString());
        var ours = new StoryLoad { Name = "ours", Callers = 3, Cap = new(CapKind.Off) };
        Assert.Equal("""{"op":"open","transport":"unary","configuration":"laptop","maxInFlight":"off"}""", ours.OpenRequest().ToJsonString());
        var sdk = new StoryLoad { Name = "sdk", Callers = 3, Peer = "momento", Cap = new(CapKind.Number, 10), DeadlineMs = 300 };
        Assert.Equal("""{"op":"open","maxInFlight":10,"requestTimeoutMs":300}""", sdk.OpenRequest().ToJsonString());
    }

    [Fact]
    public void Different_processes_and_network_delays_use_separate_agents()
    {
        var load = new StoryLoad { Name = "one", Callers = 1 };
        StoryLoad[] others =
        [
            load with { Peer = "grpc-js" },
            load with { Delay = StoryPlan.Laptop },
            load with { Delay = StoryPlan.Region },
            load with { Arguments = ["--loop"] },
        ];
        Assert.Equal(6, others.Append(load).Select(one => one.AgentKey(0)).Append(load.AgentKey(1)).Distinct().Count());
        Assert.Equal(load.AgentKey(0), (load with { Callers = 9, Channels = 3, Pool = "local" }).AgentKey(0));
    }
}
