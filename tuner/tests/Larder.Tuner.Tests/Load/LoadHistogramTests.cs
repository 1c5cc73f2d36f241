using FsCheck;
using FsCheck.Fluent;
using Larder.Agent;

namespace Larder.Tuner.Tests.Load;

public sealed class LoadHistogramTests
{
    private static readonly Gen<long> s_latencies =
        from bits in Gen.Choose(0, 41)
        from low in Gen.Choose(0, int.MaxValue)
        select (1L << bits) | (low & ((1L << bits) - 1));

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(2047, 2047, 2047)]
    [InlineData(2048, 2048, 2049)]
    [InlineData(1_000_000, 11_169, 1_000_447)]
    [InlineData((1L << 42) - 1, 33_791, (1L << 42) - 1)]
    public void Indexes_follow_agent_protocol(long ns, int index, long largest)
    {
        Assert.Equal(index, LoadHistogram.IndexOf(ns));
        Assert.Equal(largest, LoadHistogram.ValueOf(index));
    }

    [Fact]
    public void Bucket_value_exceeds_sample_by_at_most_a_thousandth() =>
        Prop.ForAll(s_latencies.ToArbitrary(), ns =>
        {
            long stands = LoadHistogram.ValueOf(LoadHistogram.IndexOf(ns));
            return stands >= ns && stands - ns <= ns / 1000.0;
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Indexes_increase_with_values() =>
        Prop.ForAll(
                s_latencies.ToArbitrary(),
                s_latencies.ToArbitrary(),
                (a, b) => (a <= b) == (LoadHistogram.IndexOf(a) <= LoadHistogram.IndexOf(b)) || LoadHistogram.IndexOf(a) == LoadHistogram.IndexOf(b))
            .QuickCheckThrowOnFailure();

    [Fact]
    public void Quantiles_match_sorted_samples() =>
        Prop.ForAll(Gen.NonEmptyListOf(s_latencies).ToArbitrary(), Gen.Choose(1, 1000).ToArbitrary(), (samples, permille) =>
        {
            LoadHistogram histogram = Of(samples);
            long exact = samples.Order().ElementAt(Math.Max(1, (int)Math.Ceiling(permille / 1000.0 * samples.Count)) - 1);
            return Math.Abs(histogram.Quantile(permille / 1000.0) - exact) <= exact / 1000.0;
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Added_histograms_equal_one_histogram_of_all_samples() =>
        Prop.ForAll(Gen.ListOf(s_latencies).ToArbitrary(), Gen.ListOf(s_latencies).ToArbitrary(), (left, right) =>
        {
            LoadHistogram sum = Of(left);
            sum.Add(Of(right));
            return Same(sum, Of([.. left, .. right]));
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Histogram_round_trips_as_JSON_line() =>
        Prop.ForAll(Gen.ListOf(s_latencies).ToArbitrary(), samples => Same(Of(samples), LoadLines.ReadHistogram(LoadLines.Histogram(Of(samples)))))
            .QuickCheckThrowOnFailure();

    [Fact]
    public void Since_returns_only_samples_added_after_earlier_histogram()
    {
        LoadHistogram earlier = Of([100, 5_000]);
        LoadHistogram now = Of([100, 5_000, 700, 700]);
        LoadHistogram gained = now.Since(earlier);
        Assert.Equal([(700, 2L)], gained.Counts());
        Assert.Equal(1_400, gained.SumNs);
        Assert.Equal(700, gained.MaxNs);
    }

    [Fact]
    public void Quantile_of_empty_histogram_is_0() => Assert.Equal(0, new LoadHistogram().Quantile(0.999));

    [Theory]
    [InlineData("""{"unit":"us","counts":[],"maxNs":0,"sumNs":0}""")]
    [InlineData("""{"unit":"ns","counts":[[33792,1]],"maxNs":0,"sumNs":0}""")]
    [InlineData("""{"unit":"ns","counts":[[5,-1]],"maxNs":0,"sumNs":0}""")]
    public void ReadHistogram_rejects_invalid_line(string line) =>
        Assert.Throws<FormatException>(() => LoadLines.ReadHistogram(System.Text.Json.Nodes.JsonNode.Parse(line)!));

    private static LoadHistogram Of(IEnumerable<long> samples)
    {
        var histogram = new LoadHistogram();
        foreach (long sample in samples)
        {
            histogram.Record(sample);
        }

        return histogram;
    }

    private static bool Same(LoadHistogram left, LoadHistogram right) =>
        left.Counts().SequenceEqual(right.Counts()) && left.MaxNs == right.MaxNs && left.SumNs == right.SumNs && left.Total == right.Total;
}
