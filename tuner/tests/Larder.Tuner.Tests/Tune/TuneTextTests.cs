using Larder.Harness.Proxies;
using Larder.Report.Runs;
using Larder.Tuner.Tune;
using Larder.Tuner.Tune.Assertions;

namespace Larder.Tuner.Tests.Tune;

public sealed class TuneTextTests
{
    [Theory]
    [InlineData("p999=5ms", 0.999, 5_000)]
    [InlineData("p99.9=5ms", 0.999, 5_000)]
    [InlineData("p50=800us", 0.5, 800)]
    [InlineData("p99=1.5s", 0.99, 1_500_000)]
    public void TargetText_parses_quantile_and_duration(string text, double quantile, double us) =>
        Assert.Equal(new TuneTarget(quantile, us), TargetText.Parse(text));

    [Fact]
    public void TargetText_formats_target() => Assert.Equal("p99.9 < 5 ms", TargetText.Of(new TuneTarget(0.999, 5_000)));

    [Theory]
    [InlineData("p999")]
    [InlineData("p42=5ms")]
    [InlineData("p999=5")]
    [InlineData("p999=0ms")]
    [InlineData("p999=-5ms")]
    [InlineData("p999=5min")]
    public void TargetText_rejects_invalid_target(string text) => Assert.Throws<FormatException>(() => TargetText.Parse(text));

    [Fact]
    public void DurationText_selects_suitable_unit() =>
        Assert.Equal(["1.5s", "20ms", "800us", "0us"], new[] { 1_500_000.0, 20_000, 800, 0 }.Select(us => DurationText.Of(TimeSpan.FromMicroseconds(us))));

    [Theory]
    [InlineData("p999<20ms", "p999<20ms", 19_999, true)]
    [InlineData("p99.9<20ms", "p999<20ms", 20_000, false)]
    [InlineData("p99<=10ms", "p99<=10ms", 10_000, true)]
    [InlineData("rate>=10000", "rate>=10000", 10_000, true)]
    [InlineData("rate > 10000", "rate>10000", 10_000, false)]
    [InlineData("throughput>10000", "throughput>10000", 10_001, true)]
    [InlineData("throughput>10000", "throughput>10000", 9_999, false)]
    public void RunAssertion_parses_and_checks_condition(string text, string whole, double figure, bool holds)
    {
        var assertion = RunAssertion.Parse(text);
        Assert.Equal(whole, assertion.ToString());
        Assert.Equal(holds, assertion.Holds(figure));
    }

    [Theory]
    [InlineData("p999=20ms")]
    [InlineData("p999>20ms")]
    [InlineData("p999@85<20ms")]
    [InlineData("rate<100")]
    [InlineData("rate>=many")]
    [InlineData("throughput>many")]
    [InlineData("throughput<20ms")]
    public void RunAssertion_rejects_invalid_condition(string text) => Assert.Throws<FormatException>(() => RunAssertion.Parse(text));

    [Fact]
    public void DelayText_parses_optional_jitter()
    {
        Assert.Equal(new NetworkDelay(TimeSpan.FromMilliseconds(30), TimeSpan.FromMilliseconds(5)), DelayText.Parse("30ms+5ms"));
        Assert.Throws<FormatException>(() => DelayText.Parse("11s"));
        Assert.Throws<FormatException>(() => DelayText.Parse("30"));
    }
}
