using Larder.Lab.Story;
using Larder.Tuner.Bench;

namespace Larder.Lab.Tests.Story;

public sealed class StoryFindingsTests
{
    [Fact]
    public void Lesson_distinguishes_helpful_and_harmful_channels()
    {
        Assert.Contains(
            "From 1 to 5 channels calls a second rose 2.5-fold; published: it rose 2.6-fold: the same here.",
            SampleStory.Lessons("node", "channels", load => SampleStory.Figures(load.Channels == 1 ? 1_000 : 2_500, 1_000)));
        Assert.Contains(
            "From 1 to 5 channels calls a second fell 2-fold; published: it rose 2.6-fold: the contrary was measured here.",
            SampleStory.Lessons("node", "channels", load => SampleStory.Figures(load.Channels == 1 ? 1_000 : 500, 1_000)));
    }

    [Fact]
    public void Lesson_detects_shared_pool_by_number_of_connections() => Assert.Contains(
        "5 channels had 1 connection with the shared pool and 5 connections with local ones.",
        SampleStory.Lessons("python", "pool", load => SampleStory.Figures(1_000, 100, connections: load.Pool == "local" ? 5 : 1)));

    [Theory]
    [InlineData(1, "the same here.")]
    [InlineData(2, "not so here.")]
    public void Lesson_compares_numbers_of_connections(int factor, string verdict)
    {
        IReadOnlyList<string> lessons = SampleStory.Lessons(
            "dotnet",
            "connections",
            load => SampleStory.Figures(1_000, 100, connections: factor * (long)Math.Ceiling(load.Callers / 100.0)));
        Assert.StartsWith("Without a cap 100, 101, 201, 5,000 callers had ", lessons[0], StringComparison.Ordinal);
        Assert.EndsWith($"published: 1, 2, 3, 50: {verdict}", lessons[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(50, "the same here.")]
    [InlineData(200, "not so here.")]
    public void Lesson_names_number_of_callers_with_best_rate(int best, string verdict) => Assert.Contains(
        SampleStory.Lessons("python", "callers", load => SampleStory.Figures(load.Callers == best ? 9_000 : 5_000, 100)),
        sentence => sentence.StartsWith($"The bare library got most done with {best} callers", StringComparison.Ordinal)
            && sentence.EndsWith(verdict, StringComparison.Ordinal));

    [Fact]
    public void Failed_calls_do_not_count_as_throughput()
    {
        StoryStep step = SampleStory.Step("python", "callers", load => SampleStory.Figures(load.Callers * 10, 100, failed: load.Callers > 100 ? 1 : 0));
        Assert.Equal(100, StoryFindings.BestOf(step.Line(StoryPlan.WithoutCap))!.X);
    }

    [Fact]
    public void Lesson_compares_failures_and_slowest_calls_with_published_ones()
    {
        IReadOnlyList<string> lessons = SampleStory.Lessons(
            "node",
            "deadline",
            load => SampleStory.Figures(1_000, 100, failed: load.Cap.Kind == CapKind.Off ? 0.75 : 0, slowestUs: load.Peer is null ? 310_000 : 4_000_000));
        const string Burst = "@gomomento/sdk, no cap: 75 % (published: all time out); @gomomento/sdk, a cap of 100: 0 % (published: none times out)";
        const string Slowest = "took 4.00 s, past its deadline (published: the slowest waited 4,562 ms)";
        Assert.Contains(Burst, lessons[0], StringComparison.Ordinal);
        Assert.Contains(lessons, sentence => sentence.Contains(Slowest, StringComparison.Ordinal));
        Assert.Contains(lessons, sentence => sentence.Contains("took 310 ms, within a quarter of its deadline.", StringComparison.Ordinal));
    }

    [Fact]
    public void Lesson_names_configuration_that_exceeds_measured_concurrency()
    {
        IReadOnlyList<string> lessons = SampleStory.Lessons(
            "node",
            "region",
            load => SampleStory.Figures(load.Callers * 100, load.Callers <= 10 ? 400 : load.Callers <= 25 ? 1_900 : 2_100));
        Assert.Equal(
            [
                "p99.9 < 20 ms: most was done here with 25 in flight, 2,500 calls a second; published: 50 in flight, 8,300 a second; "
                    + "Configurations.InRegion.Default has 50, more than these figures say.",
                "p99.9 < 5 ms: most was done here with 10 in flight, 1,000 calls a second; published: 2 in flight, 1,900 a second; "
                    + "Configurations.InRegion.LowLatency has 2, fewer than these figures say.",
            ],
            lessons);
    }

    [Fact]
    public void Lesson_reports_unreachable_target() => Assert.All(
        SampleStory.Lessons("python", "region", _ => SampleStory.Figures(1_000, 100_000)),
        sentence => Assert.Contains("no number in flight kept it here", sentence, StringComparison.Ordinal));

    [Fact]
    public void Lesson_compares_tuner_result_with_published_and_shipped_values()
    {
        IReadOnlyList<string> lessons = SampleStory.Lessons("node", "targets", _ => SampleStory.Figures(1, 1));
        Assert.Equal(4, lessons.Count);
        Assert.Equal(
            "Unary, p99.9 < 5 ms: 12,000 calls a second with a cap of 34, p99.9 3.10 ms (2.80 ms to 3.40 ms); higher rates were not tried; published: 2 in "
                + "flight, 1,900 a second; Configurations.InRegion.LowLatency has 2, fewer than these figures say.",
            lessons[0]);
    }

    [Theory]
    [InlineData("dotnet")]
    [InlineData("python")]
    [InlineData("node")]
    public void Unmeasured_step_has_no_lesson(string client) => Assert.All(
        StoryPlan.Of(new StoryOptions { Client = client }),
        planned => Assert.Empty(
            StoryFindings.Of(
                planned.With([.. planned.Loads.Select(load => new StoryRow { Name = load.Name, Series = load.Series, X = load.X, Passes = [] })]),
                SampleStory.Make(client))));

    [Theory]
    [InlineData("dotnet")]
    [InlineData("python")]
    [InlineData("node")]
    public void Every_measured_step_has_a_lesson(string client)
    {
        StoryRun run = SampleStory.Make(client);
        Assert.All(run.Steps, step => Assert.NotEmpty(StoryFindings.Of(step, run)));
    }
}
