using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Tuner.Tests.Bench;

public sealed class RoundFiguresTests
{
    [Fact]
    public void Latency_curve_ends_when_fewer_than_ten_samples_remain()
    {
        var histogram = new LoadHistogram();
        for (int i = 0; i < 20_000; i++)
        {
            histogram.Record(1_000 + (i * 100));
        }

        IReadOnlyList<QuantilePoint> curve = RoundFigures.Summary(histogram).Curve;
        Assert.Equal(0, curve[0].Quantile);
        Assert.True(curve.Zip(curve.Skip(1)).All(pair => pair.First.Quantile < pair.Second.Quantile && pair.First.Us <= pair.Second.Us));
        // Of 20,000 samples, ten lie above 99.95 %. The last point of the curve is therefore 99.95 % or, due to rounding errors, the previous point, 99.93 %.
        Assert.InRange(curve[^1].Quantile, 0.999, 0.9995);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 0)]
    [InlineData(2, 4)]
    [InlineData(1_000, 39)]
    public void BucketOf_returns_bucket_that_contains_latency(double us, int bucket)
    {
        Assert.Equal(bucket, LoadSlices.BucketOf(us));
        Assert.True(us < TimeSlice.LowestUs(bucket + 1));
        Assert.Equal(LoadSlices.BucketsPerDoubling, TimeSlice.BucketsPerDoubling);
    }
}
