using Larder.Report.Runs;
using Larder.Report.Tests.Runs;
using Larder.Tuner.Live;
using Larder.Tuner.Tune.Output;
using Spectre.Console;

namespace Larder.Tuner.Tests.Live;

public sealed class LiveTests
{
    [Fact]
    public void Sparkline_rises_with_values()
    {
        Assert.Equal("▁▃▆█", Sparkline.Of([0, 2, 5, 8]));
        Assert.Equal("▁▃▆█", Sparkline.Of([1, 10, 100, 1_000], logarithmic: true));
        Assert.Equal("▁ ▁", Sparkline.Of([3, null, 3], logarithmic: true));
        Assert.Equal("  ", Sparkline.Of([null, double.NaN]));
        Assert.Equal("", Sparkline.Of([]));
    }

    [Fact]
    public void Screen_shows_current_step_progress_and_results()
    {
        (TuneRun? run, LiveScreen? screen) = (SampleRun.Make(), new LiveScreen());
        Assert.Contains("starting", Text(screen), StringComparison.Ordinal);
        screen.OnBegin(run.Client, run.Target, run.Workload);
        screen.OnStepStarted(new LoadStep(TunePhase.Search, 13, 0, null, 2, 3));
        screen.OnProgress(new LoadSecond(1, 91_234, 0, 100, 200, 300, 400));
        screen.OnTimeLeft(0.54, TimeSpan.FromSeconds(72));
        foreach (SearchRung rung in run.Search)
        {
            screen.OnRung(rung);
        }

        screen.OnNote("other [programs] used the machine");
        string text = Text(screen);
        Assert.Contains("54 %, about 1:12 left", text, StringComparison.Ordinal);
        Assert.Contains("search: 13 in flight, pass 2 of 3 · 91,234/s, p50 100 µs", text, StringComparison.Ordinal);
        Assert.Contains("calls/s", text, StringComparison.Ordinal);
        Assert.Contains("▁", text, StringComparison.Ordinal);
        Assert.Contains("note: other [programs] used the machine", text, StringComparison.Ordinal);

        screen.OnKnee(run.KneeRung(), run.Knee!.Why);
        screen.OnStepStarted(new LoadStep(TunePhase.Rate, 8, 0, 60_000, 1, 1, RateStepKind.Probe));
        Assert.Contains("probe: 60,000 scheduled calls/s, limit 8", Text(screen), StringComparison.Ordinal);
        foreach (RateStep step in run.Rates)
        {
            screen.OnRate(step, run.Target);
        }

        screen.OnAnswer(run.Proved, "60,000 calls per second");

        foreach (AdaptiveRow row in run.Adaptive)
        {
            screen.OnAdaptive(row);
        }

        screen.OnEnd(run);
        text = Text(screen);
        Assert.Contains("knee: the smallest rung", text, StringComparison.Ordinal);
        Assert.Contains("adaptive, p99.9 < 5 ms", text, StringComparison.Ordinal);
        Assert.Contains("worst stall", text, StringComparison.Ordinal);
        Assert.DoesNotContain("left", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Repeated_rung_replaces_its_earlier_line()
    {
        (TuneRun? run, LiveScreen? screen) = (SampleRun.Make(), new LiveScreen());
        screen.OnBegin(run.Client, run.Target, run.Workload);
        screen.OnRung(run.Search[0]);
        screen.OnRung(run.Search[0]);
        Assert.Equal(1, Text(screen).Split('\n').Count(line => line.TrimEnd().EndsWith("too few callers", StringComparison.Ordinal)));
    }

    private static string Text(LiveScreen screen)
    {
        using var writer = new StringWriter();
        IAnsiConsole console = AnsiConsole.Create(
            new AnsiConsoleSettings
            {
                Ansi = AnsiSupport.No,
                ColorSystem = ColorSystemSupport.NoColors,
                Out = new AnsiConsoleOutput(writer),
            });
        console.Profile.Width = 160;
        console.Write(screen.Render());
        return writer.ToString();
    }
}
