using Larder.Agent;

namespace Larder.Tuner.Search;

/// <summary>
/// A quantile of measured calls with its 95 % confidence interval (Woodruff). Of n calls, the number above quantile q is about n (1 − q) ± t √(n q (1 − q) d),
/// whatever their distribution; the calls at these ranks are the bounds. d is the design effect: calls that queue behind each other are correlated, so n of
/// them contain as much information as n / d independent ones. It is the variance of the calls above the quantile between batches of time, divided by the
/// variance expected by chance, and at least 1. t is Student's t for that number of batches.
/// </summary>
/// <param name="Us">The quantile in µs. Infinite if too many calls did not complete, or if there were none.</param>
/// <param name="LowUs">The lower bound in µs.</param>
/// <param name="HighUs">The upper bound in µs. Infinite if there are too few calls.</param>
internal readonly record struct QuantileInterval(double Us, double LowUs, double HighUs)
{
    /// <summary>The minimum number of batches to estimate their variance. With fewer, calls count as independent.</summary>
    public const int MinBatches = 5;

    private const double Normal95 = 1.96;

    /// <summary>
    /// Computes the interval for a histogram and <paramref name="lost"/> further calls that failed or never started, which count as slower than all others.
    /// <paramref name="batches"/> contains, for each slice of time, the number of calls and how many of them were above about that quantile.
    /// </summary>
    public static QuantileInterval Of(LoadHistogram histogram, long lost, double quantile, IReadOnlyList<(long Calls, long Above)> batches)
    {
        double all = histogram.Total + lost;
        double spread = Student95(batches.Count) * Math.Sqrt(all * quantile * (1 - quantile) * DesignEffect(batches));
        return new(At(histogram, quantile * all), At(histogram, (quantile * all) - spread), At(histogram, (quantile * all) + spread + 1));
    }

    /// <summary>
    /// Returns the factor by which the variance between batches exceeds that expected by chance: the variance of a ratio over clusters, divided by that of p (1
    /// − p) n.
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
    /// Approximates Student's t at 95 % by its expansion around the normal distribution. It is 2 % too small for five batches and accurate enough from ten on.
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
