namespace Larder.Report.Runs;

/// <summary>The latency that will do: a quantile, and its highest value in µs.</summary>
internal sealed record TuneTarget(double Quantile, double LimitUs)
{
    /// <summary>The quantile as users write it: <c>p99.9</c>.</summary>
    public string Name() => "p" + (Quantile * 100).ToString("0.####", System.Globalization.CultureInfo.InvariantCulture);
}
