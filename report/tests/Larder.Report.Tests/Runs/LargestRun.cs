using Larder.Report.Runs;

namespace Larder.Report.Tests.Runs;

/// <summary>
/// A run of the maximum size. It has up to 5,000 callers, a rate search of three minutes with its whole timeline, channels on two event loops, and adaptive
/// limits.
/// </summary>
internal static class LargestRun
{
    private static readonly int[] s_ladder = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1_597, 2_584, 4_181, 5_000];

    /// <summary>The number of slices of 0.2 s in three minutes.</summary>
    private const int Slices = 900;

    /// <summary>Creates the run.</summary>
    public static TuneRun Make()
    {
        TuneRun run = SampleRun.Make();
        SearchRung[] rungs = [.. s_ladder.Select((callers, index) => run.Search[Math.Min(index, 9)] with { Callers = callers })];
        RateStep[] steps =
        [
            .. Enumerable.Range(0, 45)
                .Select(i => run.Rates[i % 5] with { RatePerSecond = 12_345.678 * (i + 1), Cap = 5_000 - i, TargetUs = 1_000 + (i * 321) }),
            run.Rates[5],
        ];
        return run with
        {
            Search = [.. new[] { 1, 5, 10 }.SelectMany(channels => rungs.Select(rung => rung with { Channels = channels }))],
            Rates = steps,
            Timeline = [.. Enumerable.Range(0, Slices).Select(Slice)],
            Channels =
            [
                .. new[] { "uvloop on", "uvloop off" }.SelectMany(variant => run.Channels.Select(row => row with { Variant = variant })),
            ],
            Adaptive =
            [
                .. new[] { "50 callers, closed loop", "5,000 callers, closed loop", "70 % of the knee, on a schedule", "90 % of the knee, on a schedule" }
                    .SelectMany(scenario => run.Adaptive.Select(row => row with { Scenario = scenario })),
            ],
            Peers = [new PeerSeries("stackexchange-redis", [.. rungs.Select(rung => rung with { Verdict = null })])],
            Notes = [.. Enumerable.Range(0, 12).Select(i => $"Note {i}: {string.Join(", ", s_ladder)} callers had fewer than 10,000 calls in all passes.")],
        };
    }

    /// <summary>Creates a slice with calls in fifty buckets. The buckets differ from slice to slice.</summary>
    private static TimeSlice Slice(int index) => new()
    {
        AtSeconds = index * 0.2,
        Seconds = 0.2,
        Phase = index < 400 ? TunePhase.Search : TunePhase.Rate,
        Step = index < 400 ? $"{s_ladder[index / 22]} callers" : $"{(index - 380) / 20 * 12.35}k/s",
        Cells = [.. Enumerable.Range(10, 50).Select(bucket => new HeatCell(bucket, 1 + (long)Math.Pow(((bucket * 7) + (index * 13)) % 10, 4)))],
    };
}
