using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Tune.OpenLoop;

namespace Larder.Tuner.Tests.Tune.OpenLoop;

public sealed class TimeBatchesTests
{
    /// <summary>A latency in bucket 40, which covers 1,024 µs to 1,218 µs.</summary>
    private const double Us = 1_100;

    [Fact]
    public void Slices_are_merged_into_at_most_ten_batches_per_round()
    {
        Round round = Of([.. Enumerable.Repeat<(int, long)[]>([(10, 90), (41, 10)], 25)]);
        IReadOnlyList<(long Calls, long Above)> batches = TimeBatches.Of([round, round], Us, 0.1);
        Assert.Equal(20, batches.Count);
        Assert.Equal(5_000, batches.Sum(batch => batch.Calls));
        Assert.Equal(500, batches.Sum(batch => batch.Above));
        Assert.All(batches, batch => Assert.InRange(batch.Calls, 200, 300));
    }

    [Fact]
    public void Slow_calls_are_counted_from_the_nearest_bucket_edge()
    {
        // A tenth of the calls is above 1,218 µs, so the upper edge of the bucket is used. If hardly any calls are above 1,218 µs, the lower edge is used.
        Assert.Equal([(100, 10)], TimeBatches.Of([Of([(10, 80), (40, 10), (41, 10)])], Us, 0.1));
        Assert.Equal([(100, 20)], TimeBatches.Of([Of([(10, 80), (40, 19), (41, 1)])], Us, 0.1));
    }

    [Fact]
    public void Round_without_slices_has_no_batches() => Assert.Empty(TimeBatches.Of([Of()], Us, 0.1));

    private static Round Of(params (int Bucket, long Count)[][] slices) => new()
    {
        RequestsPerSecond = 1,
        Histogram = new LoadHistogram(),
        Hits = 0,
        Misses = 0,
        Errors = new Dictionary<string, long>(),
        ClientCpu = 0,
        Slices = [.. slices.Select((slice, index) => (index + 1.0, (IReadOnlyList<HeatCell>)[.. slice.Select(cell => new HeatCell(cell.Bucket, cell.Count))]))],
    };
}
