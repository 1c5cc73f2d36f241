namespace Larder.Report.Drawing;

/// <summary>Equal factors, equal steps. Values at or below 0 are drawn at the lowest.</summary>
internal sealed class LogScale : IScale
{
    /// <summary>Labels past which only each power of ten gets one.</summary>
    private const int MostLabels = 8;

    private readonly double _low;
    private readonly double _span;

    /// <summary>A scale over these values. It ends at a tick on both sides unless <paramref name="tight"/>.</summary>
    public LogScale(IEnumerable<double> values, Func<double, string> label, bool tight = false)
    {
        double[] positive = values.Where(value => double.IsFinite(value) && value > 0).DefaultIfEmpty(1).ToArray();
        (double low, double high) = (positive.Min(), positive.Max());
        double[] fine = Ladder(low, high).ToArray();
        (low, high) = tight ? (low, high) : (fine[0], fine[^1]);
        if (high <= low)
        {
            high = low * 2;
        }

        (_low, _span) = (Math.Log(low), Math.Log(high / low));
        double[] within = Ladder(low, high).Where(value => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)).ToArray();
        bool all = within.Length <= MostLabels;
        Ticks = [.. within.Select(value => new Tick(value, all || IsPowerOfTen(value) ? label(value) : ""))];
    }

    /// <inheritdoc/>
    public IReadOnlyList<Tick> Ticks { get; }

    /// <inheritdoc/>
    public double At(double value) => value > 0 ? (Math.Log(value) - _low) / _span : 0;

    /// <summary>1, 2, 5 × 10^n from the last at or below <paramref name="low"/> to the first at or above <paramref name="high"/>.</summary>
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

    private static bool IsPowerOfTen(double value) => Math.Abs(Math.Log10(value) - Math.Round(Math.Log10(value))) < 1e-9;
}
