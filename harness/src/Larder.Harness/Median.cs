namespace Larder.Harness;

/// <summary>The middle of some figures.</summary>
public static class Median
{
    /// <summary>The middle one, or the mean of the two in the middle; of none it is NaN.</summary>
    public static double Of(IEnumerable<double> figures)
    {
        double[] sorted = [.. figures.Order()];
        return sorted.Length == 0 ? double.NaN : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }

    /// <summary>That of one figure of several things.</summary>
    public static double Of<T>(IEnumerable<T> things, Func<T, double> figure) => Of(things.Select(figure));
}
