using System.Diagnostics;
using Larder.Harness.Processes;
using Larder.Lab.Story;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Story;

/// <summary>Short runs with real servers and agents. They show that the parts work together. They do not measure performance.</summary>
public sealed class StoryRunnerTests
{
    [Theory]
    [InlineData("dotnet", "connections,processes")]
    [InlineData("python", "pool,loops")]
    [InlineData("node", "pool,deadline")]
    public async Task Story_run_measures_each_requested_step_and_lists_shipped_caps(string client, string steps)
    {
        StoryRun run = await TellAsync(client, steps);
        Assert.Equal(steps.Split(','), run.Steps.Select(step => step.Id));
        Assert.All(run.Steps, step => Assert.True(step.Failure is null, step.Failure));
        Assert.All(run.Steps.SelectMany(step => step.Rows), row => Assert.True(row.Passes.Count == 1 && row.Passes[0].Latency.Samples > 0, row.Name));
        Assert.Equal(["laptop.v1", "inRegion.default.v1", "inRegion.lowLatency.v1"], run.Shipped.Select(caps => caps.Configuration));
        Assert.All(run.Shipped, caps => Assert.True(caps is { Unary: > 0, Pipeline: > 0 }, caps.Configuration));
        if (run.Step("pool") is { } pool)
        {
            Assert.True(pool.Row("shared", 5)!.Connections < pool.Row("local", 5)!.Connections);
        }
    }

    [LongFact]
    public async Task Story_run_of_each_language_ends_with_four_answers()
    {
        foreach (string client in Agents.Clients)
        {
            StoryRun run = await TellAsync(client, null);
            Assert.Equal(StoryPlan.Of(new StoryOptions { Client = client }).Select(step => step.Id), run.Steps.Select(step => step.Id));
            Assert.Equal(4, run.Steps[^1].Answers.Count);
            Assert.NotEmpty(run.ClientVersion);
        }
    }

    [Fact]
    public async Task Steps_beyond_budget_are_skipped_with_reason()
    {
        var options = new StoryOptions { Client = "dotnet", Steps = ["naive", "targets"], Budget = TimeSpan.FromTicks(1) };
        StoryRun run = await new StoryRunner(options, TextWriter.Null, TimeProvider.System).TellAsync();
        Assert.All(run.Steps, step => Assert.Contains("the budget was used up", step.Failure, StringComparison.Ordinal));
        Assert.All(run.Steps, step => Assert.Empty(step.Answers));
    }

    [Fact]
    public async Task Ctrl_C_writes_finished_steps_and_exits_with_130()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-story-");
        try
        {
            string[] quick = ["--seconds", "0.1", "--most", "4", "--passes", "1", "--steps", "naive,callers,laptop,region"];
            using ChildProcess tuner = LabProgram.Start(["story", .. quick, "--output", folder.FullName]);
            Task<string> said = tuner.Output.ReadToEndAsync();
            await tuner.UntilLoggedAsync(StoryPlan.Of(new StoryOptions { Client = "dotnet", Steps = ["callers"] })[0].Title + "\n");
            Assert.DoesNotContain("failed", tuner.Log, StringComparison.Ordinal);
            tuner.Signal(Signals.Interrupt);
            Assert.Equal(130, await tuner.WaitForExitAsync());
            Assert.Contains("dotnet.html", await said, StringComparison.Ordinal);
            StoryRun run = StoryFiles.Read(Path.Combine(folder.FullName, "dotnet.json"));
            Assert.True(run.Interrupted);
            Assert.Equal("naive", run.Steps[0].Id);
            Assert.InRange(run.Steps.Count, 1, 3);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    /// <summary>The time limit for repeating a story in which a step failed. On a busy machine, a connection may not be established in time.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    private static async Task<StoryRun> TellAsync(string client, string? steps)
    {
        var options = new StoryOptions
        {
            Client = client,
            Steps = steps?.Split(','),
            Seconds = 0.1,
            Most = 8,
            Passes = 1,
            NoiseLimit = double.PositiveInfinity,
        };
        long begun = Stopwatch.GetTimestamp();
        StoryRun run;
        do
        {
            run = await new StoryRunner(options, TextWriter.Null, TimeProvider.System).TellAsync();
        }
        while (run.Steps.Any(step => step.Failure is not null) && Stopwatch.GetElapsedTime(begun) < s_patience);
        return run;
    }
}
