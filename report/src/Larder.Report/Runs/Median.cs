namespace Larder.Report.Runs;

/// <summary>The middle of some figures: of an even number, the mean of the middle two.</summary>
internal static class Median
{
    /// <summary>The median of at least one figure.</summary>
    public static double Of(IEnumerable<double> figures)
    {
        double[] sorted = figures.Order().ToArray();
        int middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /// <summary>The median of those that are known; null when none is.</summary>
    public static double? OfKnown(IEnumerable<double?> figures)
    {
        double[] known = figures.OfType<double>().ToArray();
        return known.Length == 0 ? null : Of(known);
    }
}
