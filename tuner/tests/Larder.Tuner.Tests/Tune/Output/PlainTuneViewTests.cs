using Larder.Report.Runs;
using Larder.Report.Tests.Runs;
using Larder.Tuner.Tune.Output;

namespace Larder.Tuner.Tests.Tune.Output;

public sealed class PlainTuneViewTests
{
    [Fact]
    public void First_line_states_what_is_tuned_and_maximum_time()
    {
        TuneRun run = SampleRun.Make();
        Assert.Equal(
            "tuning dotnet (pipeline), p99.9 < 5 ms, reference workload, loopback: about 165 s at most; ~ marks steps disturbed by other programs",
            Lines(view => view.OnStart(run.Client, run.Target, run.Workload, TimeSpan.FromSeconds(165)))[0]);
        Assert.DoesNotContain("at most", Lines(view => view.OnStart(run.Client, run.Target, run.Workload, null))[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Disturbed_rung_is_marked_without_explanation()
    {
        SearchRung rung = SampleRun.Make().Search[0];
        SearchRung noisy = rung with
        {
            Repetitions = [.. rung.Repetitions.Select(one => one with { Noisy = true })],
            Verdict = new StepVerdict(StepLimit.Noise, "other programs used 0.97 processors at the same time, so the step is unreliable"),
        };
        string[] lines = Lines(view =>
        {
            view.OnRung(rung);
            view.OnRung(noisy);
        });
        Assert.Contains("Callers: throughput still grows", lines[0], StringComparison.Ordinal);
        Assert.DoesNotContain("~", lines[0], StringComparison.Ordinal);
        Assert.Contains("/s ~, p50", lines[1], StringComparison.Ordinal);
        Assert.DoesNotContain("other programs", lines[1], StringComparison.Ordinal);
    }

    private static string[] Lines(Action<ITuneView> show)
    {
        using var writer = new StringWriter();
        show(new PlainTuneView(writer));
        return writer.ToString().Split('\n');
    }
}
