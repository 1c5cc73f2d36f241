namespace Larder.Report.Runs;

/// <summary>A latency target: a quantile and its maximum value in µs.</summary>
internal sealed record TuneTarget(double Quantile, double LimitUs)
{
    /// <summary>Returns the quantile as users write it: <c>p99.9</c>.</summary>
    public string Name() => "p" + (Quantile * 100).ToString("0.####", System.Globalization.CultureInfo.InvariantCulture);
}
