using Larder.Report.Compare;
using Larder.Report.Runs;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests.Compare;

public sealed class CompareGateTests
{
    [Theory]
    [InlineData("rate<-5%", 60_000, 56_900, true)]
    [InlineData("rate<-5%", 60_000, 57_100, false)]
    [InlineData("rate<-5%", 60_000, 90_000, false)]
    [InlineData("rate > +10%", 60_000, 67_000, true)]
    public void Gate_fails_when_change_exceeds_limit(string text, double before, double after, bool fails) =>
        Assert.Equal(fails, CompareGate.Parse(text).Fails(With(before), With(after)));

    [Fact]
    public void Run_without_result_counts_as_full_loss_of_rate()
    {
        TuneRun none = SampleRun.Make() with { Proved = null };
        Assert.True(CompareGate.Parse("rate<-5%").Fails(With(60_000), none));
        Assert.True(CompareGate.Parse("p999>10%").Fails(With(60_000), none));
        Assert.False(CompareGate.Parse("rate<-5%").Fails(none, With(60_000)));
        Assert.False(CompareGate.Parse("p999>10%").Fails(none, With(60_000)));
        Assert.False(CompareGate.Parse("rate<-5%").Fails(none, none));
        Assert.Equal("FAILED: rate<-5%: 60,000 calls per second to no answer, -100 %", CompareGate.Parse("rate<-5%").ResultText(With(60_000), none));
        Assert.Equal("held: rate<-5%: no answer to no answer, neither run has a value", CompareGate.Parse("rate<-5%").ResultText(none, none));
    }

    [Theory]
    [InlineData("rate")]
    [InlineData("rate<-5")]
    [InlineData("p50<-5%")]
    [InlineData("rate<=-5%")]
    public void Parse_rejects_invalid_gate_and_shows_an_example(string text) =>
        Assert.Contains("rate<-5%", Assert.Throws<FormatException>(() => CompareGate.Parse(text)).Message, StringComparison.Ordinal);

    private static TuneRun With(double rate)
    {
        TuneRun run = SampleRun.Make();
        return run with { Proved = run.Proved! with { RatePerSecond = rate } };
    }
}
