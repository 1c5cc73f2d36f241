using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Tuner.Tune.OpenLoop;

/// <summary>
/// A round's time in batches, for <see cref="Search.QuantileInterval"/>: the calls that ended in each, and how many of them were slower than about a latency.
/// About, since slices tell latencies in coarse buckets: what counts is how much batches differ, which is much the same at the bucket's edge.
/// </summary>
internal static class TimeBatches
{
    /// <summary>Batches of a round at most: long enough for what queued in one to be gone in the next but one, enough to see them differ.</summary>
    public const int Most = 10;

    /// <summary>The batches of rounds, by the bucket's edge next to <paramref name="us"/>, above which <paramref name="tail"/> of the calls lie.</summary>
    public static IReadOnlyList<(long Calls, long Above)> Of(IReadOnlyList<Round> rounds, double us, double tail)
    {
        IReadOnlyList<HeatCell>[] batches = [.. rounds.SelectMany(Batches)];
        int bucket = LoadSlices.BucketOf(double.IsFinite(us) ? us : double.MaxValue);
        bool isUpper = batches.Sum(batch => Above(batch, bucket + 1)) >= tail / 2 * batches.Sum(batch => Above(batch, 0));
        return [.. batches.Select(batch => (Above(batch, 0), Above(batch, isUpper ? bucket + 1 : bucket)))];
    }

    private static IEnumerable<IReadOnlyList<HeatCell>> Batches(Round round)
    {
        int count = Math.Min(Most, round.Slices.Count);
        for (int i = 0; i < count; i++)
        {
            (int from, int to) = (i * round.Slices.Count / count, (i + 1) * round.Slices.Count / count);
            yield return [.. round.Slices.Take(from..to).SelectMany(slice => slice.Cells)];
        }
    }

    private static long Above(IReadOnlyList<HeatCell> cells, int bucket) => cells.Where(cell => cell.Bucket >= bucket).Sum(cell => cell.Count);
}
