using Larder.Report.Page;
using Larder.Report.Runs;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests;

public sealed class NoiseBannerTests
{
    [Fact]
    public void Quiet_run_has_no_banner()
    {
        Assert.Null(NoiseBanner.Of(SampleRun.Make()));
        Assert.DoesNotContain("class=\"banner\"", RunReport.Of(SampleRun.Make()), StringComparison.Ordinal);
    }

    [Fact]
    public void Banner_counts_disturbed_steps_once()
    {
        TuneRun run = SampleRun.Make();
        run = run with
        {
            Search = [.. run.Search.Select((rung, index) => index > 2 ? rung : rung with { Repetitions = [.. rung.Repetitions.Select(Noisy)] })],
            Rates = [.. run.Rates.Select(step => step with { Measured = Noisy(step.Measured) })],
        };
        Assert.Equal(
            "Noisy machine: other programs disturbed 3 of 10 steps of the closed loop, 6 of 6 steps of the rate search, including the confirmation; they "
                + "are marked with ~. Disturbances only add latency.",
            NoiseBanner.Of(run));
        string page = RunReport.Of(run);
        Assert.Equal(2, page.Split("class=\"banner\"").Length);
        Assert.Equal(2, page.Split("they are marked with ~").Length);
    }

    private static Measurement Noisy(Measurement one) => one with { Noisy = true };
}
