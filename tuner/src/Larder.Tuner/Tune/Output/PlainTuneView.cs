using System.Globalization;
using Larder.Report;
using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Output;

/// <summary>Displays a run as lines of text, for redirected output and logs.</summary>
internal sealed class PlainTuneView(TextWriter output) : ITuneView
{
    private TimeSpan _left;

    /// <inheritdoc/>
    public void OnStart(TunedClient client, TuneTarget target, TunedWorkload workload, TimeSpan? atMost) =>
        Say(
            $"tuning {client.Language} ({client.Transport}), {TargetText.Of(target)}, {workload.Name} workload, ",
            $"{client.Network}{(atMost is { } most ? string.Create(CultureInfo.InvariantCulture, $": about {most.TotalSeconds:N0} s at most") : "")}; ",
            $"~ marks steps disturbed by other programs");

    /// <inheritdoc/>
    public void OnBegin(TunedClient client, TuneTarget target, TunedWorkload workload) =>
        Say($"warmed up: {client.Language} {client.Version}, {client.Runtime}, transport {client.Transport}");

    /// <inheritdoc/>
    public void OnStepStarted(LoadStep step)
    {
    }

    /// <inheritdoc/>
    public void OnProgress(LoadSecond second)
    {
    }

    /// <inheritdoc/>
    public void OnRung(SearchRung rung) =>
        Say(
            $"{Channels(rung.Channels)}{rung.Callers,5:N0} in flight, pass {rung.Repetitions.Count}: {rung.RequestsPerSecond,9:N0}/s{Mark(rung.Noisy)}, ",
            $"p50 {Ms(rung.P50Us)}, p99 {Ms(rung.P99Us)}, p99.9 {Ms(rung.P999Us)} ms{Why(rung.Verdict)} [{_left.TotalSeconds:N0} s left]");

    /// <inheritdoc/>
    public void OnKnee(SearchRung? knee, string why) => Say($"{(knee is null ? "no knee: " : "the knee: ")}{why}");

    /// <inheritdoc/>
    public void OnRate(RateStep step, TuneTarget target) =>
        Say(
            $"{step.Name} {step.RatePerSecond:N0}/s due, limit {step.Cap:N0}, {step.Measured.Seconds:0.#} s: {step.Outcome}",
            $"{Mark(step.Measured.Noisy)}, {target.Name()} {RateAnswer.FigureOf(step.TargetUs, step.LowUs, step.HighUs)}, ",
            $"{step.Measured.RequestsPerSecond:N0}/s, p50 {Ms(step.Measured.Latency.P50Us)} ms",
            $"{(step.Excluded is { } excluded ? $"; {excluded}" : step.Measured.Stalls is { Over5Ms: > 0 } stalls ? $"; {stalls}" : "")}",
            $"{Why(step.Verdict)} [{_left.TotalSeconds:N0} s left]");

    /// <inheritdoc/>
    public void OnAnswer(ProvedRate? proved, string sentence) => Say($"{sentence}");

    /// <inheritdoc/>
    public void OnAdaptive(AdaptiveRow row) =>
        Say(
            $"{row.Scenario}, {row.Cap}: {row.Measured.RequestsPerSecond:N0}/s{Mark(row.Measured.Noisy)}, p50 {Ms(row.Measured.Latency.P50Us)}, p99.9 ",
            $"{Ms(row.Measured.Latency.P999Us)} ms",
            row.Range is { } range ? (FormattableString)$"; limit {range.Lowest:N0} to {range.Highest:N0}, {range.Mean:N0} on average" : $"",
            row.SaidUnreachable ? (FormattableString)$"; the client reported that the target cannot be met" : $"");

    /// <inheritdoc/>
    public void OnTimeLeft(double done, TimeSpan left) => _left = left;

    /// <inheritdoc/>
    public void OnNote(string note) => Say($"note: {note}");

    /// <inheritdoc/>
    public void OnEnd(TuneRun run) => Say($"{run.TookSeconds:N0} s in total");

    private static string Mark(bool noisy) => noisy ? " ~" : "";

    /// <summary>Returns the bottleneck as text. Noise is omitted, because noisy steps are marked and a note at the end explains the mark.</summary>
    private static string Why(StepVerdict? verdict) => verdict is null or { Limit: StepLimit.Noise } ? "" : $"; {verdict.Limit}: {verdict.Why}";

    private static string Channels(int channels) => channels > 0 ? string.Create(CultureInfo.InvariantCulture, $"{channels} channels, ") : "";

    private static string Ms(double us) => (us / 1000).ToString("F3", CultureInfo.InvariantCulture);

    private void Say(params FormattableString[] parts) =>
        output.WriteLine(InvariantText.Say(parts));
}
