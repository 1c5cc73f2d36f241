using System.Globalization;

namespace Larder.Report.Drawing;

/// <summary>A scale of quantiles by their number of nines. The distance from 90 % to 99 % is the same as that from 99 % to 99.9 %.</summary>
internal sealed class NinesScale : IScale
{
    private readonly double _nines;

    /// <summary>Creates a scale from 0 % to the highest quantile, which must be below 1.</summary>
    public NinesScale(double highest)
    {
        _nines = Math.Max(1, NinesOf(highest));
        IEnumerable<double> tens = Enumerable.Range(1, (int)Math.Floor(_nines + 1e-6)).Select(nines => 1 - Math.Pow(10, -nines));
        Ticks =
        [
            .. new[] { 0, 0.5 }.Concat(tens).Select(quantile => new Tick(quantile, (quantile * 100).ToString("0.####", CultureInfo.InvariantCulture) + " %")),
        ];
    }

    /// <inheritdoc/>
    public IReadOnlyList<Tick> Ticks { get; }

    /// <inheritdoc/>
    public double At(double value) => NinesOf(value) / _nines;

    private static double NinesOf(double quantile) => -Math.Log10(1 - Math.Min(quantile, 1 - 1e-9));
}
