using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.Rounds;

namespace Larder.Tuner.Tests.Tune.Rounds;

public sealed class LatencyTimelineTests
{
    private static readonly LoadStep s_step = new(TunePhase.Search, 25, 0, null, 1, 3);

    [Fact]
    public void Round_has_one_column_per_slice()
    {
        var timeline = new LatencyTimeline();
        timeline.Add(s_step, 10, RoundOf((0.2, 500), (0.4, 700), (0.6, 300)));
        Assert.Equal([(10, 0.2, 500L), (10.2, 0.2, 700), (10.4, 0.2, 300)], Seen(timeline));
        Assert.All(timeline.Slices, slice => Assert.Equal("25 callers", slice.Step));
    }

    [Fact]
    public void Slices_with_few_calls_are_merged_without_loss()
    {
        var timeline = new LatencyTimeline();
        timeline.Add(s_step, 0, RoundOf((0.2, 60), (0.4, 60), (0.6, 150), (0.8, 30)));
        Assert.Equal([(0, 0.4, 120L), (0.4, 0.4, 180)], Seen(timeline));
    }

    [Fact]
    public void Short_slices_are_merged_into_columns_of_the_usual_length()
    {
        var timeline = new LatencyTimeline();
        timeline.Add(s_step, 0, RoundOf([.. Enumerable.Range(1, 20).Select(i => (i * 0.02, 500L))]) with { MeasuredSeconds = 2 });
        Assert.Equal([(0, 0.2, 5_000L), (0.2, 0.2, 5_000)], Seen(timeline));
    }

    [Fact]
    public void Round_without_slices_is_one_column()
    {
        var timeline = new LatencyTimeline();
        timeline.Add(s_step, 1, RoundOf() with { MeasuredSeconds = 2 });
        Assert.Equal([(1, 2, 1L)], Seen(timeline));
    }

    private static IEnumerable<(double, double, long)> Seen(LatencyTimeline timeline) =>
        timeline.Slices.Select(slice => (slice.AtSeconds, slice.Seconds, slice.Cells.Sum(cell => cell.Count)));

    private static Round RoundOf(params (double End, long Calls)[] slices)
    {
        var histogram = new LoadHistogram();
        histogram.Record(1_000_000);
        return new Round
        {
            RequestsPerSecond = 1,
            Histogram = histogram,
            Hits = 0,
            Misses = 0,
            Errors = new Dictionary<string, long>(),
            ClientCpu = 0,
            Slices = [.. slices.Select(slice => (slice.End, (IReadOnlyList<HeatCell>)[new HeatCell(30, slice.Calls - 1), new HeatCell(44, 1)]))],
        };
    }
}
