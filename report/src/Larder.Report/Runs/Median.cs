namespace Larder.Report.Runs;

/// <summary>Computes the median: the middle value, or the mean of the two middle values if the number of values is even.</summary>
internal static class Median
{
    /// <summary>Returns the median of at least one value.</summary>
    public static double Of(IEnumerable<double> figures)
    {
        double[] sorted = figures.Order().ToArray();
        int middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /// <summary>Returns the median of the known values. Returns null if no value is known.</summary>
    public static double? OfKnown(IEnumerable<double?> figures)
    {
        double[] known = figures.OfType<double>().ToArray();
        return known.Length == 0 ? null : Of(known);
    }
}
