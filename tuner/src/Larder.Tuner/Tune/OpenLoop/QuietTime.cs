using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;

namespace Larder.Tuner.Tune.OpenLoop;

/// <summary>
/// Removes from a round the time in which the machine stalled. The stall meter alone selects the time, so a pause of the client or of the server stays in the
/// measurement. The round must have time slices.
/// </summary>
internal static class QuietTime
{
    /// <summary>
    /// The length of the slices to request for a round, in ms. Each stall excludes whole slices, so they are as short as the agents support.
    /// </summary>
    public const int SliceMs = 20;

    /// <summary>The maximum fraction of the measured time that is excluded. A result must be based on most of the measured time.</summary>
    public const double MaxShare = 1.0 / 3;

    /// <summary>
    /// The maximum excluded fraction of a step that counts as a miss. It is smaller than <see cref="MaxShare"/>, because a stall also adds latency to some
    /// calls outside the excluded time. Such calls cannot cause a step to meet the target, but they can cause it to miss.
    /// </summary>
    public const double MaxShareOfMiss = 0.1;

    /// <summary>The minimum length of an excluded stall, as a fraction of the target's limit. Shorter stalls seldom decide whether the target is met.</summary>
    private const double MinStall = 0.5;

    /// <summary>The maximum utilization that is used to compute how long the backlog of a stall takes to drain. It limits the excluded time.</summary>
    private const double MaxUtilization = 0.85;

    /// <summary>The maximum difference between the start of the measurement according to the tuner and according to the agent, in seconds.</summary>
    private const double Tolerance = 0.005;

    /// <summary>
    /// Returns the round without the excluded time, and the excluded time. The latter is null if no stall is long enough or if the round has no slices. The
    /// round is then returned unchanged. <paramref name="utilization"/> is the rate as a fraction of the highest rate that the client and the server
    /// sustain. It determines how long calls are late after a stall.
    /// </summary>
    public static (Round Quiet, ExcludedStalls? Excluded) Of(Round round, double limitUs, double utilization)
    {
        double drain = 1 / (1 - Math.Clamp(utilization, 0, MaxUtilization));
        (double From, double To, double Length)[] windows =
        [
            .. from stall in round.StallPeriods
               where stall.Seconds * 1e6 >= limitUs * MinStall
               let to = stall.FromSeconds + (stall.Seconds * drain) + Tolerance
               where to > 0 && stall.FromSeconds < round.MeasuredSeconds
               select (stall.FromSeconds, to, stall.Seconds),
        ];
        if (windows.Length == 0 || round.Slices.Count == 0)
        {
            return (round, null);
        }

        var kept = new List<(double EndSeconds, IReadOnlyList<HeatCell> Cells)>();
        (double excluded, double begin, double lastKept) = (0, 0, 0);
        foreach ((double end, IReadOnlyList<HeatCell> cells) in round.Slices)
        {
            if (Array.Exists(windows, window => window.From < end && window.To > begin))
            {
                excluded += end - begin;
            }
            else
            {
                kept.Add((end, cells));
                lastKept = end;
            }

            begin = end;
        }

        // Of the calls that did not start before the end, at most those are excluded that were due in the excluded time at the end.
        double dueInTail = (round.Histogram.Total + round.Unstarted + round.Errors.Values.Sum()) / round.MeasuredSeconds * (begin - lastKept);

        Round quiet = round with
        {
            Histogram = Scaled(round.Histogram, CountsOf(round.Slices), CountsOf(kept)),
            Slices = kept,
            Unstarted = Math.Max(0, round.Unstarted - (long)dueInTail),
        };
        return (
            quiet,
            new()
            {
                Stalls = windows.Length,
                StalledSeconds = Math.Round(windows.Sum(window => window.Length), 4),
                Seconds = Math.Round(excluded, 3),
                OfSeconds = round.MeasuredSeconds,
            });
    }

    private static Dictionary<int, long> CountsOf(IEnumerable<(double EndSeconds, IReadOnlyList<HeatCell> Cells)> slices) =>
        slices.SelectMany(slice => slice.Cells).GroupBy(cell => cell.Bucket).ToDictionary(same => same.Key, same => same.Sum(cell => cell.Count));

    /// <summary>
    /// Returns the part of a histogram that belongs to the kept slices. The slices have coarse buckets. Within a coarse bucket, which is 19 % wide, the kept
    /// calls are assumed to have the same distribution as all calls.
    /// </summary>
    private static LoadHistogram Scaled(LoadHistogram all, Dictionary<int, long> total, Dictionary<int, long> kept)
    {
        var scaled = new LoadHistogram();
        double owed = 0;
        foreach ((int index, long count) in all.Counts())
        {
            long ns = LoadHistogram.ValueOf(index);
            int bucket = LoadSlices.BucketOf(ns / 1000.0);
            double share = total.TryGetValue(bucket, out long of) ? (double)kept.GetValueOrDefault(bucket) / of : 1;
            owed += count * share;
            long whole = (long)Math.Round(owed);
            if (whole > 0)
            {
                owed -= whole;
                scaled.Record(index, whole, Math.Min(ns, all.MaxNs), ns * whole);
            }
        }

        return scaled;
    }
}
