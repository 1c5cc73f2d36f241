using Larder.Tuner.Processes;
using Larder.Tuner.Report;
using Larder.Tuner.Report.Page;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Tests.Tune;

public sealed class TuneRunFileTests
{
    [Fact]
    public void A_run_written_and_read_again_is_written_the_same()
    {
        string text = TuneRunFile.Write(SampleRun.Make());
        TuneRun read = TuneRunFile.Parse(text, "a.json");
        Assert.Equal(text, TuneRunFile.Write(read));
        Assert.Equal(8, read.KneeRung()!.Callers);
        Assert.Equal(StepLimit.MachineCpu, read.KneeRung()!.Verdict!.Limit);
    }

    [Theory]
    [InlineData("", "no run")]
    [InlineData("[]", "no run")]
    [InlineData("{}", "no version")]
    [InlineData("{\"version\":\"one\"}", "no version")]
    [InlineData("{\"version\":3}", "version 3")]
    [InlineData("{\"version\":1}", "no run")]
    [InlineData("{\"version\":1,\"command\":null}", "no run")]
    public void What_is_no_run_is_refused_by_name(string text, string why)
    {
        TunerException refused = Assert.Throws<TunerException>(() => TuneRunFile.Parse(text, "a.json"));
        Assert.StartsWith("a.json", refused.Message, StringComparison.Ordinal);
        Assert.Contains(why, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_run_of_an_older_version_is_read_without_its_proof_and_says_that_nothing_is_proved()
    {
        TuneRun old = TuneRunFile.Read(Path.Combine(Programs.Root, "tuner/results/full/dotnet-pipeline-p999-20ms.json"));
        Assert.Equal(1, old.Version);
        Assert.NotNull(old.KneeRung());
        Assert.Null(old.Proved);
        Assert.StartsWith("An older run, without a proved rate. The closed loop's knee: ", Headline.Of(old), StringComparison.Ordinal);
        Assert.Contains("An older run", RunReport.Of(old), StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_is_not_there_is_said_so() =>
        Assert.Contains("cannot be read", Assert.Throws<TunerException>(() => TuneRunFile.Read("/nowhere/run.json")).Message, StringComparison.Ordinal);

    [Fact]
    public void A_curve_ends_where_fewer_than_ten_samples_lie_above()
    {
        IReadOnlyList<QuantilePoint> curve = SampleRun.Make().KneeRung()!.Repetitions[0].Latency.Curve;
        Assert.Equal(0, curve[0].Quantile);
        Assert.True(curve.Zip(curve.Skip(1)).All(pair => pair.First.Quantile < pair.Second.Quantile && pair.First.Us <= pair.Second.Us));
        // 20,000 samples: ten lie above 99.95 %, so 99.95 would do and the last point of five to a nine is 99.95 or 99.93.
        Assert.InRange(curve[^1].Quantile, 0.999, 0.9995);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 0)]
    [InlineData(2, 4)]
    [InlineData(1_000, 39)]
    public void A_latency_is_in_the_bucket_that_begins_at_or_below_it(double us, int bucket)
    {
        Assert.Equal(bucket, TimeSlice.BucketOf(us));
        Assert.True(us < TimeSlice.LowestUs(bucket + 1));
    }
}
