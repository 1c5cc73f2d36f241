using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Tuner.Tune.OpenLoop;

/// <summary>
/// Splits a round into batches for <see cref="Search.QuantileInterval"/>: the number of calls that ended in each, and how many of them exceeded a latency. The
/// latency is rounded to a bucket of the slices, which is accurate enough: only the variation between batches matters, and it is similar at the bucket's edge.
/// </summary>
internal static class TimeBatches
{
    /// <summary>
    /// The maximum number of batches per round: long enough that a queue in one is gone in the next but one, and enough to estimate their variation.
    /// </summary>
    public const int Most = 10;

    /// <summary>
    /// Returns the batches of several rounds. Calls count as above if they exceed the bucket edge next to <paramref name="us"/>, where <paramref name="tail"/>
    /// is the expected fraction of calls above it.
    /// </summary>
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
