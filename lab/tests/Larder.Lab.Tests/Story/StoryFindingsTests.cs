using Larder.Lab.Story;
using Larder.Tuner.Bench;

namespace Larder.Lab.Tests.Story;

public sealed class StoryFindingsTests
{
    [Fact]
    public void Lesson_distinguishes_helpful_and_harmful_channels()
    {
        Assert.Contains(
            "From 1 to 5 channels, requests per second increased by a factor of 2.5. Published: it increased by a factor of 2.6. The results agree.",
            SampleStory.Lessons("node", "channels", load => SampleStory.Figures(load.Channels == 1 ? 1_000 : 2_500, 1_000)));
        Assert.Contains(
            "From 1 to 5 channels, requests per second decreased by a factor of 2. Published: it increased by a factor of 2.6. "
                + "The result here is the opposite.",
            SampleStory.Lessons("node", "channels", load => SampleStory.Figures(load.Channels == 1 ? 1_000 : 500, 1_000)));
    }

    [Fact]
    public void Lesson_detects_shared_pool_by_number_of_connections() => Assert.Contains(
        "5 channels opened 1 connection with the shared pool and 5 connections with local pools.",
        SampleStory.Lessons("python", "pool", load => SampleStory.Figures(1_000, 100, connections: load.Pool == "local" ? 5 : 1)));

    [Theory]
    [InlineData(1, "The results agree.")]
    [InlineData(2, "The results differ.")]
    public void Lesson_compares_numbers_of_connections(int factor, string verdict)
    {
        IReadOnlyList<string> lessons = SampleStory.Lessons(
            "dotnet",
            "connections",
            load => SampleStory.Figures(1_000, 100, connections: factor * (long)Math.Ceiling(load.Callers / 100.0)));
        Assert.StartsWith("With 100, 101, 201, 5,000 callers, Grpc.Net.Client without a concurrency limit opened ", lessons[0], StringComparison.Ordinal);
        Assert.EndsWith($"Published: 1, 2, 3, 50. {verdict}", lessons[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(50, "The results agree.")]
    [InlineData(200, "The results differ.")]
    public void Lesson_names_number_of_callers_with_best_rate(int best, string verdict) => Assert.Contains(
        SampleStory.Lessons("python", "callers", load => SampleStory.Figures(load.Callers == best ? 9_000 : 5_000, 100)),
        sentence => sentence.StartsWith($"The plain library had its highest throughput with {best} callers", StringComparison.Ordinal)
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
        const string Burst = "@gomomento/sdk, no limit: 75 % (published: all calls timed out); @gomomento/sdk, limit 100: 0 % (published: no call timed out)";
        const string Slowest = "took 4.00 s, which exceeds the deadline by more than 25 %. Published: the slowest call waited 4,562 ms.";
        Assert.Contains(Burst, lessons[0], StringComparison.Ordinal);
        Assert.Contains(lessons, sentence => sentence.Contains(Slowest, StringComparison.Ordinal));
        Assert.Contains(lessons, sentence => sentence.Contains("took 310 ms, which meets the deadline (with a tolerance of 25 %).", StringComparison.Ordinal));
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
                "p99.9 < 20 ms: the best concurrency was 25 requests in flight, with 2,500 requests per second. "
                    + "Published: 50 requests in flight, with 8,300 requests per second. "
                    + "The limit in Configurations.InRegion.Default is 50, higher than measured here.",
                "p99.9 < 5 ms: the best concurrency was 10 requests in flight, with 1,000 requests per second. "
                    + "Published: 2 requests in flight, with 1,900 requests per second. "
                    + "The limit in Configurations.InRegion.LowLatency is 2, lower than measured here.",
            ],
            lessons);
    }

    [Fact]
    public void Lesson_reports_unreachable_target() => Assert.All(
        SampleStory.Lessons("python", "region", _ => SampleStory.Figures(1_000, 100_000)),
        sentence => Assert.Contains("no concurrency met this target", sentence, StringComparison.Ordinal));

    [Fact]
    public void Lesson_compares_tuner_result_with_published_and_shipped_values()
    {
        IReadOnlyList<string> lessons = SampleStory.Lessons("node", "targets", _ => SampleStory.Figures(1, 1));
        Assert.Equal(4, lessons.Count);
        Assert.Equal(
            "Unary, p99.9 < 5 ms: 12,000 requests per second with a concurrency limit of 34, p99.9 3.10 ms (2.80 ms to 3.40 ms). A rate of 13,500 missed the "
                + "target. Published: 2 requests in flight, with 1,900 requests per second. The limit in Configurations.InRegion.LowLatency is 2, lower than "
                + "measured here.",
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
