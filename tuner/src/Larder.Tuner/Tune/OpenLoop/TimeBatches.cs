using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Tuner.Tune.OpenLoop;

/// <summary>
/// Splits a round into batches for <see cref="Search.QuantileInterval"/>. A batch consists of the number of calls that ended in a period of time, and the
/// number of these calls that exceeded a latency. The latency is rounded to an edge of a histogram bucket. This is accurate enough, because only the variation
/// between batches matters. The variation at the edge is similar to the variation at the exact latency.
/// </summary>
internal static class TimeBatches
{
    /// <summary>
    /// The maximum number of batches per round. With this number, a batch is so long that a queue that forms in one batch is gone two batches later, and there
    /// are enough batches to estimate their variation.
    /// </summary>
    public const int Most = 10;

    /// <summary>
    /// Returns the batches of several rounds. A call counts as slow if its latency exceeds an edge of the bucket that contains <paramref name="us"/>. This is
    /// the upper edge if enough calls exceed it, and otherwise the lower edge. Enough is half of <paramref name="tail"/>, the expected fraction of calls above
    /// <paramref name="us"/>.
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
