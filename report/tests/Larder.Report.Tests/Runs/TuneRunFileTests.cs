using Larder.Harness;
using Larder.Report.Page;
using Larder.Report.Runs;

namespace Larder.Report.Tests.Runs;

public sealed class TuneRunFileTests
{
    [Fact]
    public void Run_round_trips_through_file()
    {
        string text = TuneRunFile.Write(SampleRun.Make());
        TuneRun read = TuneRunFile.Parse(text, "a.json");
        Assert.Equal(text, TuneRunFile.Write(read));
        Assert.Equal(8, read.KneeRung()!.Callers);
        Assert.Equal(StepLimit.MachineCpu, read.KneeRung()!.Verdict!.Limit);
    }

    [Theory]
    [InlineData("", "is not a run of the tuner")]
    [InlineData("[]", "is not a run of the tuner")]
    [InlineData("{}", "no version")]
    [InlineData("{\"version\":\"one\"}", "no version")]
    [InlineData("{\"version\":3}", "version 3")]
    [InlineData("{\"version\":1}", "is not a run of the tuner")]
    [InlineData("{\"version\":1,\"command\":null}", "is not a run of the tuner")]
    public void Parse_rejects_invalid_run_and_names_file(string text, string why)
    {
        RunFileException refused = Assert.Throws<RunFileException>(() => TuneRunFile.Parse(text, "a.json"));
        Assert.StartsWith("a.json", refused.Message, StringComparison.Ordinal);
        Assert.Contains(why, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Older_run_is_read_without_confirmed_rate()
    {
        TuneRun old = TuneRunFile.Read(Checkout.At("tuner/results/in-region-1ms/tune-dotnet-pipeline-p999-20ms.json"));
        Assert.Equal(1, old.Version);
        Assert.NotNull(old.KneeRung());
        Assert.Null(old.Proved);
        Assert.StartsWith("A run of an older version, without a proved rate. The closed loop's knee: ", Headline.Of(old), StringComparison.Ordinal);
        Assert.Contains("A run of an older version", RunReport.Of(old), StringComparison.Ordinal);
    }

    [Fact]
    public void Read_reports_missing_file() =>
        Assert.Contains("cannot read", Assert.Throws<RunFileException>(() => TuneRunFile.Read("/nowhere/run.json")).Message, StringComparison.Ordinal);
}
