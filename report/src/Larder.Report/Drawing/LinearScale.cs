namespace Larder.Report.Drawing;

/// <summary>A linear scale from a low value to the first tick at or above the highest value.</summary>
internal sealed class LinearScale : IScale
{
    /// <summary>The desired number of steps. It is large enough to read values, and small enough to avoid crowding.</summary>
    private const int Steps = 5;

    private readonly double _low;
    private readonly double _high;

    /// <summary>Creates a scale that contains both values. If they are equal or not finite, the scale has a length of one unit.</summary>
    public LinearScale(double low, double highest, Func<double, string> label)
    {
        _low = double.IsFinite(low) ? low : 0;
        double span = double.IsFinite(highest) && highest > _low ? highest - _low : 1;
        double step = StepFor(span / Steps);
        int count = (int)Math.Ceiling((span / step) - 1e-9);
        _high = _low + (count * step);
        Ticks = [.. Enumerable.Range(0, count + 1).Select(i => _low + (i * step)).Select(value => new Tick(value, label(value)))];
    }

    /// <inheritdoc/>
    public IReadOnlyList<Tick> Ticks { get; }

    /// <inheritdoc/>
    public double At(double value) => (value - _low) / (_high - _low);

    /// <summary>Returns the smallest number of the form 1, 2, 2.5 or 5 × 10^n that is at least <paramref name="least"/>.</summary>
    private static double StepFor(double least)
    {
        double ten = Math.Pow(10, Math.Floor(Math.Log10(least)));
        return ten * new[] { 1, 2, 2.5, 5, 10 }.First(step => step * ten >= least * (1 - 1e-9));
    }
}
