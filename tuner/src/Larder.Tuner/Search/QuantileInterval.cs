using Larder.Agent;

namespace Larder.Tuner.Search;

/// <summary>
/// A quantile of measured calls with its 95 % confidence interval (Woodruff). For any distribution, the number of the n calls above quantile q is about n (1 −
/// q) ± t √(n q (1 − q) d). The calls at these ranks are the bounds of the interval. t is Student's t for the number of batches, into which the calls are
/// divided by time. d is the design effect, which is at least 1. It is needed because calls that queue behind each other are correlated, so that n calls
/// contain only as much information as n / d independent calls. To compute d, the number of calls above the quantile is counted in each batch. d is the
/// variance of these numbers, divided by the variance expected by chance.
/// </summary>
/// <param name="Us">The quantile in µs. Infinite if too many calls did not complete, or if there were none.</param>
/// <param name="LowUs">The lower bound in µs.</param>
/// <param name="HighUs">The upper bound in µs. Infinite if there are too few calls.</param>
internal readonly record struct QuantileInterval(double Us, double LowUs, double HighUs)
{
    /// <summary>The minimum number of batches from which their variance is estimated. With fewer batches, the calls count as independent.</summary>
    public const int MinBatches = 5;

    private const double Normal95 = 1.96;

    /// <summary>
    /// Computes the interval for a histogram and <paramref name="lost"/> further calls that failed or never started. The lost calls count as slower than all
    /// other calls. <paramref name="batches"/> contains two numbers for each slice of time: the number of calls, and the approximate number of calls above the
    /// quantile.
    /// </summary>
    public static QuantileInterval Of(LoadHistogram histogram, long lost, double quantile, IReadOnlyList<(long Calls, long Above)> batches)
    {
        double all = histogram.Total + lost;
        double spread = Student95(batches.Count) * Math.Sqrt(all * quantile * (1 - quantile) * DesignEffect(batches));
        return new(At(histogram, quantile * all), At(histogram, (quantile * all) - spread), At(histogram, (quantile * all) + spread + 1));
    }

    /// <summary>
    /// Returns the design effect: the factor by which the variance between batches exceeds the variance expected by chance. The batches are treated as
    /// clusters, from which the variance is estimated. The variance expected by chance is that of n independent calls, p (1 − p) n, where p is the fraction of
    /// calls above the quantile.
    /// </summary>
    internal static double DesignEffect(IReadOnlyList<(long Calls, long Above)> batches)
    {
        (double calls, double above) = (batches.Sum(batch => (double)batch.Calls), batches.Sum(batch => (double)batch.Above));
        if (batches.Count < MinBatches || above == 0 || above == calls)
        {
            return 1;
        }

        double share = above / calls;
        double squares = batches.Sum(batch => Math.Pow(batch.Above - (share * batch.Calls), 2));
        return Math.Max(1, squares * batches.Count / (batches.Count - 1) / (calls * share * (1 - share)));
    }

    /// <summary>
    /// Approximates Student's t at 95 % by its expansion around the normal distribution. The result is 2 % too small for five batches, and accurate enough for
    /// ten or more.
    /// </summary>
    private static double Student95(int batches)
    {
        double z = Normal95;
        double freedom = batches - 1;
        return batches < MinBatches
            ? z
            : z + ((Math.Pow(z, 3) + z) / 4 / freedom) + (((5 * Math.Pow(z, 5)) + (16 * Math.Pow(z, 3)) + (3 * z)) / 96 / freedom / freedom);
    }

    private static double At(LoadHistogram histogram, double rank) =>
        histogram.Total == 0 || Math.Ceiling(rank) > histogram.Total ? double.PositiveInfinity : histogram.QuantileUs(Math.Max(0, rank) / histogram.Total);
}
