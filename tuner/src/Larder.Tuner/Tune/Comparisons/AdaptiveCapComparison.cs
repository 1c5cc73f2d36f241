using System.Globalization;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.Rounds;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.Comparisons;

/// <summary>
/// Compares the client's adaptive concurrency limit with the best fixed limit, which is the knee. In the closed loop, the two limits are measured alternately.
/// The number of callers is at least twice the knee, so that the limit determines the throughput. In the open loop at the proved rate, the adaptive limit is
/// compared with the measurement of the confirmation.
/// </summary>
internal sealed class AdaptiveCapComparison(
    ClientUnderTest tested,
    SearchRung knee,
    TuneTarget target,
    ProvedRate? proved,
    IReadOnlyList<RateStep> rates,
    TuneOptions options,
    RoundRunner rounds,
    ITuneView view)
{
    /// <summary>
    /// The number of passes over the three loads: the fixed limit and the adaptive limit in the closed loop, and the adaptive limit in the open loop.
    /// </summary>
    private const int Passes = 2;

    /// <summary>The minimum number of callers. It lets the adaptive limit, which starts at 16, grow above a small knee.</summary>
    private const int MinCallers = 32;

    /// <summary>The number of callers in the open loop beyond the maximum of the limit. The rate search uses the same number.</summary>
    private const int SpareCallers = 500;

    /// <summary>The total number of rounds.</summary>
    private const int Rounds = Passes * 3;

    /// <summary>
    /// The settling time in the open loop, as a multiple of the settling time in the closed loop. While the limit grows from its initial value, calls queue up.
    /// Only the spare capacity of the server can reduce this queue.
    /// </summary>
    private const int SettlesOnSchedule = 2;

    /// <summary>The minimum time for each target: six rounds of the minimum length, and twelve seconds to settle.</summary>
    public static readonly TimeSpan Least = TimeSpan.FromSeconds(18);

    private readonly List<Round> _fixed = [];
    private readonly List<Round> _adaptive = [];
    private readonly List<Round> _scheduled = [];
    private int _left = proved is null ? Passes * 2 : Rounds;
    private int _settling = Passes * (1 + (proved is null ? 0 : SettlesOnSchedule));

    /// <summary>
    /// Returns whether the adaptive limit supports a target. It supports only p99.9, from 0.1 ms to the deadline. The deadline is at least 500 ms in every
    /// configuration.
    /// </summary>
    public static bool Serves(TuneTarget target) => target is { Quantile: 0.999, LimitUs: >= 100 and <= 500_000 };

    /// <summary>Runs the comparison. <paramref name="kept"/> is reserved for later phases.</summary>
    public async Task<IReadOnlyList<AdaptiveRow>> RunAsync(TimeSpan kept)
    {
        int most = Math.Max(MinCallers, 2 * knee.Callers);
        for (int pass = 1; pass <= Passes; pass++)
        {
            var closed = new LoadStep(TunePhase.Adaptive, most, knee.Channels, null, pass, Passes);
            _fixed.Add(await RunAsync(closed, seconds => new OfferedLoad(most, knee.Callers, seconds) { FromPermit = true }, kept).ConfigureAwait(false));
            _adaptive.Add(
                await RunAsync(closed, seconds => Adapting(new OfferedLoad(most, most, seconds) { FromPermit = true }, 1), kept, settles: 1)
                    .ConfigureAwait(false));
            if (proved is not null)
            {
                _scheduled.Add(await OnScheduleAsync(proved, Math.Max(MinCallers, 2 * proved.Cap), pass, kept).ConfigureAwait(false));
            }
        }

        IReadOnlyList<AdaptiveRow> rows = [.. Rows(most)];
        foreach (AdaptiveRow row in rows)
        {
            view.OnAdaptive(row);
        }

        return rows;
    }

    private Task<Round> OnScheduleAsync(ProvedRate rate, int most, int pass, TimeSpan kept) => RunAsync(
        new LoadStep(TunePhase.Adaptive, most, knee.Channels, rate.RatePerSecond, pass, Passes),
        seconds => Adapting(new OfferedLoad(most + SpareCallers, most, seconds, RatePerSecond: rate.RatePerSecond), SettlesOnSchedule),
        kept,
        SettlesOnSchedule);

    private Task<Round> RunAsync(LoadStep step, Func<double, OfferedLoad> load, TimeSpan kept, int settles = 0)
    {
        var settling = TimeSpan.FromSeconds(_settling * options.SettleSeconds);
        _settling -= settles;
        return rounds.RunAsync(tested, step, load, _left--, kept + settling);
    }

    private OfferedLoad Adapting(OfferedLoad load, int settles) =>
        load with { AdaptiveTargetUs = target.LimitUs, WarmupSeconds = settles * options.SettleSeconds };

    private IEnumerable<AdaptiveRow> Rows(int most)
    {
        string closed = string.Create(CultureInfo.InvariantCulture, $"{most:N0} callers, closed loop");
        string ofKnee = string.Create(CultureInfo.InvariantCulture, $"fixed {knee.Callers:N0}, the knee");
        string adaptive = $"adaptive, {TargetText.Of(target)}";
        yield return RowOf(closed, ofKnee, _fixed);
        yield return RowOf(closed, adaptive, _adaptive);
        if (proved is not null && RateAnswer.ProofOf(proved, rates) is { } proof)
        {
            string open = string.Create(CultureInfo.InvariantCulture, $"{proved.RatePerSecond:N0} calls per second, on a schedule");
            yield return new AdaptiveRow
            {
                Scenario = open,
                Cap = string.Create(CultureInfo.InvariantCulture, $"fixed {proved.Cap:N0}, the answer"),
                Measured = proof.Measured,
            };
            yield return RowOf(open, adaptive, _scheduled);
        }
    }

    private AdaptiveRow RowOf(string scenario, string cap, IReadOnlyList<Round> measured)
    {
        Round sum = PooledRound.Of(measured);
        return new AdaptiveRow
        {
            Scenario = scenario,
            Cap = cap,
            Measured = RoundFigures.Of(sum.Wire is { } wire ? sum with { Histogram = wire } : sum, options.NoiseLimit),
            Range = sum.Caps.Count > 0 ? new CapRange(sum.Caps.Min(), Math.Round(sum.Caps.Average(), 1), sum.Caps.Max()) : null,
            SaidUnreachable = sum.SaidUnreachable,
        };
    }
}
