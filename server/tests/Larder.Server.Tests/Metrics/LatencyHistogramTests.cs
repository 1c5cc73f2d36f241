using Larder.Server.Metrics;

namespace Larder.Server.Tests.Metrics;

public sealed class LatencyHistogramTests
{
    [Fact]
    public void Every_duration_falls_into_a_bucket_that_holds_it_within_a_sixteenth()
    {
        Random random = new(7);
        for (int round = 0; round < 100_000; round++)
        {
            long nanoseconds = (long)Math.Pow(2, random.NextDouble() * 40);
            long upper = LatencyHistogram.UpperBoundOf(LatencyHistogram.BucketOf(nanoseconds));
            Assert.True(upper > nanoseconds, $"{nanoseconds} is above its bucket's bound {upper}");
            Assert.True(upper <= nanoseconds + (nanoseconds / 16) + 1, $"{nanoseconds} is far below its bucket's bound {upper}");
        }
    }

    [Fact]
    public void Buckets_are_in_order()
    {
        int last = -1;
        for (long nanoseconds = 0; nanoseconds < 100_000; nanoseconds++)
        {
            int bucket = LatencyHistogram.BucketOf(nanoseconds);
            Assert.InRange(bucket, last, last + 1);
            last = bucket;
        }
    }

    [Fact]
    public void Quantiles_are_read_from_all_that_was_recorded()
    {
        LatencyHistogram histogram = new();
        histogram.Record(1_000, count: 990);
        histogram.Record(1_000_000, count: 10);
        LatencySnapshot snapshot = histogram.Snapshot();
        Assert.Equal(1_000, snapshot.Total);
        Assert.InRange(snapshot.QuantileUs(0.5), 1.0, 1.1);
        Assert.InRange(snapshot.QuantileUs(0.99), 1.0, 1.1);
        Assert.InRange(snapshot.QuantileUs(0.999), 1_000, 1_070);
    }

    [Fact]
    public void A_duration_past_the_range_is_counted_in_the_last_bucket()
    {
        LatencyHistogram histogram = new();
        histogram.Record(long.MaxValue);
        histogram.Record(-5);
        Assert.Equal(2, histogram.Snapshot().Total);
    }
}
