using Larder.Server.Metrics;

namespace Larder.Server.Tests.Metrics;

public sealed class LatencyHistogramTests
{
    [Fact]
    public void Bucket_bound_is_within_a_sixteenth_of_the_duration()
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
    public void BucketOf_is_monotonic()
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
    public void Quantiles_are_computed_from_all_recorded_values()
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
    public void Out_of_range_durations_are_counted()
    {
        LatencyHistogram histogram = new();
        histogram.Record(long.MaxValue);
        histogram.Record(-5);
        Assert.Equal(2, histogram.Snapshot().Total);
    }

    [Fact]
    public void Counters_are_created_with_the_first_duration()
    {
        _ = new LatencyHistogram();
        long before = GC.GetAllocatedBytesForCurrentThread();
        LatencyHistogram histogram = new();
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 1, 512);
        Assert.Equal(0, histogram.Snapshot().Total);
    }

    [Fact]
    public void Concurrent_first_durations_are_all_counted()
    {
        for (int round = 0; round < 200; round++)
        {
            LatencyHistogram histogram = new();
            Parallel.For(0, 64, _ => histogram.Record(1_000));
            Assert.Equal(64, histogram.Snapshot().Total);
        }
    }
}
