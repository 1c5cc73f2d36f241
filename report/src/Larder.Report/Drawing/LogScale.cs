namespace Larder.Report.Drawing;

/// <summary>A logarithmic scale. Values at or below 0 are drawn at the lowest position.</summary>
internal sealed class LogScale : IScale
{
    /// <summary>The maximum number of labels. If there would be more labels, only powers of ten are labelled.</summary>
    private const int MaxLabels = 8;

    /// <summary>
    /// The minimum ratio of the highest value to the lowest value. If the ratio is smaller, the scale is widened, because otherwise all labels would be the
    /// same.
    /// </summary>
    private const double MinSpan = 1.01;

    /// <summary>The minimum number of labels for a readable scale.</summary>
    private const int MinLabels = 3;

    private readonly double _low;
    private readonly double _span;

    /// <summary>Creates a scale for these values. Both ends of the scale are ticks unless <paramref name="tight"/> is true.</summary>
    public LogScale(IEnumerable<double> values, Func<double, string> label, bool tight = false)
    {
        double[] positive = values.Where(value => double.IsFinite(value) && value > 0).DefaultIfEmpty(1).ToArray();
        (double low, double high) = (positive.Min(), positive.Max());
        double[] fine = Ladder(low, high).ToArray();
        (low, high) = tight ? (low, high) : (fine[0], fine[^1]);
        if (high <= low * MinSpan)
        {
            high = low * 2;
        }

        (_low, _span) = (Math.Log(low), Math.Log(high / low));
        double[] within = Within(Ladder(low, high), low, high);
        if (within.Length < MinLabels)
        {
            within = Even(low, high, tight);
        }

        bool all = within.Length <= MaxLabels || within.Count(IsPowerOfTen) < MinLabels;
        Ticks = [.. within.Select(value => new Tick(value, all || IsPowerOfTen(value) ? label(value) : ""))];
    }

    /// <inheritdoc/>
    public IReadOnlyList<Tick> Ticks { get; }

    /// <inheritdoc/>
    public double At(double value) => value > 0 ? (Math.Log(value) - _low) / _span : 0;

    /// <summary>
    /// Returns the values 1, 2, 5 × 10^n, from the last value at or below <paramref name="low"/> to the first value at or above <paramref name="high"/>.
    /// </summary>
    private static IEnumerable<double> Ladder(double low, double high)
    {
        var steps = new List<double>();
        for (int ten = (int)Math.Floor(Math.Log10(low)); steps.Count == 0 || steps[^1] < high * (1 - 1e-9); ten++)
        {
            steps.AddRange(new[] { 1.0, 2, 5 }.Select(step => step * Math.Pow(10, ten)));
        }

        int first = steps.FindLastIndex(step => step <= low * (1 + 1e-9));
        int last = steps.FindIndex(step => step >= high * (1 - 1e-9));
        return steps.Take(last + 1).Skip(Math.Max(0, first));
    }

    /// <summary>
    /// Returns equally spaced ticks for a range of less than a power of ten. Uses the largest step that gives enough labels. The first tick is at the low end,
    /// unless <paramref name="tight"/> is true.
    /// </summary>
    private static double[] Even(double low, double high, bool tight)
    {
        double ten = Math.Pow(10, Math.Ceiling(Math.Log10(high - low)));
        while (true)
        {
            foreach (double step in new[] { 1, 0.5, 0.2 }.Select(part => part * ten))
            {
                double first = Math.Ceiling((low / step) - 1e-9);
                int count = (int)Math.Floor((high / step) + 1e-9 - first) + 1;
                double[] steps = [.. Enumerable.Range(0, Math.Max(0, count)).Select(index => (first + index) * step)];
                if (steps.Length >= MinLabels && (tight || Math.Abs(steps[0] - low) < 1e-9 * low))
                {
                    return steps;
                }
            }

            ten /= 10;
        }
    }

    private static double[] Within(IEnumerable<double> values, double low, double high) =>
        [.. values.Where(value => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))];

    private static bool IsPowerOfTen(double value) => Math.Abs(Math.Log10(value) - Math.Round(Math.Log10(value))) < 1e-9;
}
