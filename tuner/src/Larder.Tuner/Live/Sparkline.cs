namespace Larder.Tuner.Live;

/// <summary>Renders numbers as a line of small bars.</summary>
internal static class Sparkline
{
    private const string Bars = "▁▂▃▄▅▆▇█";

    /// <summary>
    /// Returns one bar per number, scaled from 0 to the largest number. A logarithmic scale ranges from the smallest number above 0 to the largest number,
    /// which suits latencies. An unknown number (null, NaN) is shown as a space.
    /// </summary>
    public static string Of(IEnumerable<double?> figures, bool logarithmic = false)
    {
        double?[] all = figures.Select(figure => figure is { } known && double.IsFinite(known) ? figure : null).ToArray();
        double[] known = all.OfType<double>().Where(figure => !logarithmic || figure > 0).ToArray();
        if (known.Length == 0)
        {
            return new string(' ', all.Length);
        }

        (double low, double high) = logarithmic ? (Math.Log(known.Min()), Math.Log(known.Max())) : (0, known.Max());
        return string.Concat(all.Select(figure => figure is { } value ? Bar(logarithmic ? Math.Log(Math.Max(value, double.Epsilon)) : value, low, high) : ' '));
    }

    private static char Bar(double value, double low, double high) =>
        Bars[high > low ? Math.Clamp((int)Math.Floor((value - low) / (high - low) * Bars.Length), 0, Bars.Length - 1) : 0];
}
