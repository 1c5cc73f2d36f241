using Larder.Agent;
using Larder.Lab.Known;
using Larder.Tuner.Search;

namespace Larder.Tuner.Tests.Search;

public sealed class QuantileIntervalTests
{
    [Fact]
    public void Interval_bounds_are_latencies_of_computed_ranks()
    {
        // The calls take 1 to 10,000 µs. p99 is therefore the 9,900th call, plus or minus 1.96 √(10,000 × 0.99 × 0.01) = 19.5 ranks.
        QuantileInterval interval = QuantileInterval.Of(Calls(10_000), 0, 0.99, []);
        Assert.InRange(interval.Us, 9_890, 9_910);
        Assert.InRange(interval.LowUs, 9_865, 9_890);
        Assert.InRange(interval.HighUs, 9_910, 9_935);
    }

    [Fact]
    public void Interval_of_too_few_calls_has_no_upper_bound()
    {
        QuantileInterval interval = QuantileInterval.Of(Calls(1_000), 0, 0.999, []);
        Assert.InRange(interval.Us, 990, 1_001);
        Assert.Equal(double.PositiveInfinity, interval.HighUs);
    }

    [Fact]
    public void Quantile_of_no_calls_is_unknown() => Assert.Equal(double.PositiveInfinity, QuantileInterval.Of(new LoadHistogram(), 0, 0.99, []).Us);

    [Fact]
    public void Failed_and_unstarted_calls_count_as_slowest()
    {
        Assert.InRange(QuantileInterval.Of(Calls(10_000), 50, 0.99, []).Us, 9_940, 9_960);
        Assert.Equal(double.PositiveInfinity, QuantileInterval.Of(Calls(10_000), 200, 0.99, []).Us);
        Assert.Equal(double.PositiveInfinity, QuantileInterval.Of(new LoadHistogram(), 1, 0.5, []).Us);
    }

    [Fact]
    public void Interval_contains_true_value_in_95_percent_of_samples()
    {
        int held = 0;
        for (int sample = 0; sample < 400; sample++)
        {
            var random = new LoadRandom(sample, 0);
            var histogram = new LoadHistogram();
            for (int i = 0; i < 2_000; i++)
            {
                histogram.Record((long)(-Math.Log(1 - random.Unit()) * 1e6));
            }

            QuantileInterval interval = QuantileInterval.Of(histogram, 0, 0.99, []);
            double truth = -Math.Log(0.01) * 1e3;
            held += interval.LowUs <= truth && truth <= interval.HighUs ? 1 : 0;
        }

        Assert.InRange(held, 365, 395);
    }

    [Fact]
    public void Time_batches_widen_interval_for_queued_calls()
    {
        const double limit = 0.016;
        double rate = AnalyticRate.Highest(40, 0.010, 0.99, limit)!.Value;
        (int independent, int inBatches) = (0, 0);
        for (int seed = 1; seed <= 60; seed++)
        {
            IReadOnlyList<LoadHistogram> batches = new ScheduledServer(40, 0.010, seed).Run(rate, 55, 6);
            LoadHistogram all = ScheduledServer.Sum(batches);
            double us = all.QuantileUs(0.99);
            independent += Holds(QuantileInterval.Of(all, 0, 0.99, []));
            inBatches += Holds(QuantileInterval.Of(all, 0, 0.99, [.. batches.Select(batch => (batch.Total, Above(batch, us)))]));
        }

        Assert.True(independent < 42, $"{independent} of 60");
        Assert.True(inBatches >= 48, $"{inBatches} of 60");

        static int Holds(QuantileInterval interval) => interval.LowUs <= limit * 1e6 && limit * 1e6 <= interval.HighUs ? 1 : 0;
        static long Above(LoadHistogram batch, double us) =>
            batch.Counts().Where(pair => LoadHistogram.ValueOf(pair.Index) > us * 1000).Sum(pair => pair.Count);
    }

    [Fact]
    public void Equal_or_too_few_batches_do_not_widen_interval()
    {
        Assert.Equal(1, QuantileInterval.DesignEffect([(100, 1), (100, 1), (100, 1), (100, 1), (100, 1)]));
        Assert.Equal(1, QuantileInterval.DesignEffect([(100, 40), (100, 0)]));
        Assert.Equal(1, QuantileInterval.DesignEffect([(100, 0), (100, 0), (100, 0), (100, 0), (100, 0)]));
        // All 5 slow calls are in one of the five batches, instead of 1 slow call in each batch. The squared deviations add up to 20, so the variance is 20 ×
        // 5/4. The variance expected by chance is 500 × 0.01 × 0.99. The design effect is the ratio of the two.
        Assert.Equal(25 / 4.95, QuantileInterval.DesignEffect([(100, 5), (100, 0), (100, 0), (100, 0), (100, 0)]), 6);
    }

    private static LoadHistogram Calls(int count)
    {
        var histogram = new LoadHistogram();
        for (int us = 1; us <= count; us++)
        {
            histogram.Record(us * 1_000L);
        }

        return histogram;
    }
}
