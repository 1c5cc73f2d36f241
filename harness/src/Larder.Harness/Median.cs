namespace Larder.Harness;

/// <summary>The median of figures.</summary>
public static class Median
{
    /// <summary>Returns the middle figure, or the mean of the two middle ones; NaN if there are none.</summary>
    public static double Of(IEnumerable<double> figures)
    {
        double[] sorted = [.. figures.Order()];
        return sorted.Length == 0 ? double.NaN : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }

    /// <summary>Returns the median of a figure of several items.</summary>
    public static double Of<T>(IEnumerable<T> things, Func<T, double> figure) => Of(things.Select(figure));
}
