using Larder.Harness;
using Larder.Report.Page;
using Larder.Report.Runs;

namespace Larder.Report.Tests.Runs;

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
        RunFileException refused = Assert.Throws<RunFileException>(() => TuneRunFile.Parse(text, "a.json"));
        Assert.StartsWith("a.json", refused.Message, StringComparison.Ordinal);
        Assert.Contains(why, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_run_of_an_older_version_is_read_without_its_proof_and_says_that_nothing_is_proved()
    {
        TuneRun old = TuneRunFile.Read(Checkout.At("tuner/results/in-region-1ms/tune-dotnet-pipeline-p999-20ms.json"));
        Assert.Equal(1, old.Version);
        Assert.NotNull(old.KneeRung());
        Assert.Null(old.Proved);
        Assert.StartsWith("A run of an older version, without a proved rate. The closed loop's knee: ", Headline.Of(old), StringComparison.Ordinal);
        Assert.Contains("A run of an older version", RunReport.Of(old), StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_is_not_there_is_said_so() =>
        Assert.Contains("cannot read", Assert.Throws<RunFileException>(() => TuneRunFile.Read("/nowhere/run.json")).Message, StringComparison.Ordinal);
}
