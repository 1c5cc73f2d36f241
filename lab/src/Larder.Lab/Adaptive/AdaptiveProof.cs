using System.Globalization;
using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Lab.Adaptive;

/// <summary>Measures the adaptive limit and the best fixed limit alternately, and reports whether the adaptive limit meets its requirements.</summary>
internal sealed class AdaptiveProof(AdaptiveOptions options, CappedClient client, Action<string> say)
{
    private static readonly double[] s_parts = [0.25, 0.3, 0.4, 0.5, 0.7, 0.8, 0.9, 0.95, 1];

    /// <summary>Runs the requested part. Returns the lines of the report, and whether all requirements were met.</summary>
    public async Task<(IReadOnlyList<string> Lines, bool Kept)> RunAsync()
    {
        await client.MeasureAsync(options.Parallelism, 1, 1).ConfigureAwait(false);
        (IReadOnlyList<CapFigure>? ladder, CapFigure? best) = await FindBestAsync().ConfigureAwait(false);
        (IReadOnlyList<string>? lines, bool kept) =
            options.Part == "slow" ? await SlowAsync(best).ConfigureAwait(false) : await SteadyAsync(best).ConfigureAwait(false);
        return (
            [
                .. AdaptiveTables.Of(ladder),
                "",
                $"Best fixed limit: {best.Cap}. It is the smallest limit that meets the target and has at least 98 % of the best throughput within the target.",
                "",
                .. lines,
            ],
            kept);
    }

    /// <summary>Measures the fixed limits. Returns all results, and the best result among the limits that meet the target.</summary>
    private async Task<(IReadOnlyList<CapFigure> Ladder, CapFigure Best)> FindBestAsync()
    {
        var ladder = new List<CapFigure>();
        foreach (int cap in s_parts.Select(part => (int)(part * options.Predicted)).Where(cap => cap >= 1).Distinct())
        {
            ladder.Add(await client.MeasureAsync(cap, 0.5, 2.5).ConfigureAwait(false));
            say(AdaptiveTables.Line(ladder[^1]));
        }

        // If a client does not report the time since the permit, the computed time is used instead.
        var holding = ladder.Where(figure => (figure.P999Ms ?? figure.Cap * options.ServiceMs / options.Parallelism) <= options.TargetMs).ToList();
        holding = holding.Count > 0 ? holding : [ladder[0]];
        double most = holding.Max(figure => figure.RequestsPerSecond);
        return (ladder, holding.First(figure => figure.RequestsPerSecond >= most * 0.98));
    }

    private async Task<(IReadOnlyList<string> Lines, bool Kept)> SteadyAsync(CapFigure best)
    {
        (List<CapFigure>? fixedOnes, List<CapFigure>? adaptive) = (new List<CapFigure>(), new List<CapFigure>());
        for (int round = 0; round < options.Rounds; round++)
        {
            fixedOnes.Add(await client.MeasureAsync(best.Cap, 1, options.Seconds).ConfigureAwait(false));
            say(AdaptiveTables.Line(fixedOnes[^1]));
            adaptive.Add(await client.MeasureAsync(null, options.SettleSeconds, options.Seconds).ConfigureAwait(false));
            say(AdaptiveTables.Line(adaptive[^1]));
        }

        double ratio = Median.Of([.. adaptive.Zip(fixedOnes, (one, other) => one.RequestsPerSecond / other.RequestsPerSecond)]);
        double? p999 = adaptive.All(figure => figure.P999Ms is not null) ? Median.Of([.. adaptive.Select(figure => figure.P999Ms!.Value)]) : (double?)null;
        bool kept = ratio >= 0.9 && p999 <= options.TargetMs * 1.1;
        return (
            [
                .. AdaptiveTables.Of([.. fixedOnes.Zip(adaptive, (one, other) => new[] { one, other }).SelectMany(pair => pair)]),
                "",
                Verdict(
                    p999 <= options.TargetMs * 1.1,
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"p99.9 with the adaptive limit, median of {options.Rounds} rounds: {p999:F1} ms, which is "
                            + $"{p999 / options.TargetMs:F3} times the target of {options.TargetMs} ms (goal: at most 1.1 times)")),
                Verdict(
                    ratio >= 0.9,
                    string.Create(CultureInfo.InvariantCulture, $"throughput relative to the best fixed limit, median: {ratio:F3} (goal: at least 0.9)")),
            ],
            kept);
    }

    private async Task<(IReadOnlyList<string> Lines, bool Kept)> SlowAsync(CapFigure best)
    {
        var pairs = new List<(SlowdownResult Fixed, SlowdownResult Adaptive)>();
        for (int round = 0; round < options.Rounds; round++)
        {
            SlowdownResult fixedOne = await client.RunWithSlowdownAsync(best.Cap).ConfigureAwait(false);
            SlowdownResult adaptive = await client.RunWithSlowdownAsync(null).ConfigureAwait(false);
            pairs.Add((fixedOne, adaptive));
            say(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"calls/s while slow: fixed {fixedOne.RateWhileSlow:F1}, adaptive {adaptive.RateWhileSlow:F1}; afterwards: fixed {fixedOne.Afterwards:F1}, "
                        + $"adaptive {adaptive.Afterwards:F1}"));
        }

        double ratio = Median.Of([.. pairs.Select(pair => pair.Adaptive.RateWhileSlow / pair.Fixed.RateWhileSlow)]);
        double after = Median.Of([.. pairs.Select(pair => pair.Adaptive.Afterwards / pair.Fixed.Afterwards)]);
        return (
            [
                .. AdaptiveTables.Of(pairs),
                "",
                .. AdaptiveTables.Timeline(pairs[^1].Adaptive),
                "",
                Verdict(
                    ratio >= 0.9,
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"throughput relative to the best fixed limit while the server is {options.Slowness} times slower for {options.SlowSeconds.Slow} s, "
                            + $"median of {options.Rounds} rounds: {ratio:F3} (goal: at least 0.9)")),
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"- the same ratio in the last 3 s of the {options.SlowSeconds.After} s after the slow phase: {after:F3}"),
            ],
            ratio >= 0.9);
    }

    private static string Verdict(bool kept, string text) => $"- {(kept ? "pass" : "FAIL")}: {text}";
}
