using Larder.Agent;

namespace Larder.Tuner.Search;

/// <summary>
/// A quantile of measured calls, with its interval of 95 % (Woodruff's): of n calls, those that lie above a quantile q are about n (1 − q), give or take
/// t √(n q (1 − q) d), whatever their distribution; the calls of those ranks bound it. d is the design effect: calls that queue behind each other are alike,
/// so that n of them say as much as n / d that know nothing of each other. It is what the calls above differ by between batches of time, over what they would
/// by chance alone, and at least 1; t is Student's, of as many batches.
/// </summary>
/// <param name="Us">The quantile, in µs; infinite where too many calls did not end, or none was made.</param>
/// <param name="LowUs">The lower bound.</param>
/// <param name="HighUs">The upper bound; infinite where the calls are too few to have one.</param>
internal readonly record struct QuantileInterval(double Us, double LowUs, double HighUs)
{
    /// <summary>Fewer batches say nothing of how they differ: calls then count as independent.</summary>
    public const int LeastBatches = 5;

    private const double Normal95 = 1.96;

    /// <summary>
    /// Of a histogram and <paramref name="lost"/> calls more that failed or were never begun: slower than all. <paramref name="batches"/> are the calls of
    /// pieces of its time, and how many of each were above about that quantile.
    /// </summary>
    public static QuantileInterval Of(LoadHistogram histogram, long lost, double quantile, IReadOnlyList<(long Calls, long Above)> batches)
    {
        double all = histogram.Total + lost;
        double spread = Student95(batches.Count) * Math.Sqrt(all * quantile * (1 - quantile) * DesignEffect(batches));
        return new(At(histogram, quantile * all), At(histogram, (quantile * all) - spread), At(histogram, (quantile * all) + spread + 1));
    }

    /// <summary>
    /// How many times more the calls above differ between batches than chance alone would have it: the variance of a ratio over clusters, over p (1 − p) n.
    /// </summary>
    internal static double DesignEffect(IReadOnlyList<(long Calls, long Above)> batches)
    {
        (double calls, double above) = (batches.Sum(batch => (double)batch.Calls), batches.Sum(batch => (double)batch.Above));
        if (batches.Count < LeastBatches || above == 0 || above == calls)
        {
            return 1;
        }

        double share = above / calls;
        double squares = batches.Sum(batch => Math.Pow(batch.Above - (share * batch.Calls), 2));
        return Math.Max(1, squares * batches.Count / (batches.Count - 1) / (calls * share * (1 - share)));
    }

    /// <summary>Student's t of 95 %, by its expansion about the normal distribution: a fiftieth too small for five batches, near enough from ten on.</summary>
    private static double Student95(int batches)
    {
        double z = Normal95;
        double freedom = batches - 1;
        return batches < LeastBatches
            ? z
            : z + ((Math.Pow(z, 3) + z) / 4 / freedom) + (((5 * Math.Pow(z, 5)) + (16 * Math.Pow(z, 3)) + (3 * z)) / 96 / freedom / freedom);
    }

    private static double At(LoadHistogram histogram, double rank) =>
        histogram.Total == 0 || Math.Ceiling(rank) > histogram.Total ? double.PositiveInfinity : histogram.QuantileUs(Math.Max(0, rank) / histogram.Total);
}
