namespace Larder.Harness;

/// <summary>Computes medians.</summary>
public static class Median
{
    /// <summary>
    /// Returns the median of values. For an even number of values, this is the mean of the two middle values. Returns NaN if there are no values.
    /// </summary>
    public static double Of(IEnumerable<double> figures)
    {
        double[] sorted = [.. figures.Order()];
        return sorted.Length == 0 ? double.NaN : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }

    /// <summary>Computes a value for each item and returns the median of these values.</summary>
    public static double Of<T>(IEnumerable<T> things, Func<T, double> figure) => Of(things.Select(figure));
}
