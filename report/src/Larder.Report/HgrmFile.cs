using System.Globalization;
using System.Text;
using Larder.Report.Runs;

namespace Larder.Report;

/// <summary>
/// Writes a percentile curve in HdrHistogram's text format (<c>.hgrm</c>), which the plotter of HdrHistogram and other tools can read. Each line contains a
/// value in ms, the percentile as a share, the number of calls up to this value, and 1 / (1 − share). The last line, for the slowest call, has no fourth
/// column. Lines that start with # are comments.
/// </summary>
internal static class HgrmFile
{
    public static string Of(LatencySummary latency)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{"Value",12} {"Percentile",14} {"TotalCount",10} {"1/(1-Percentile)",14}\n\n");
        foreach (QuantilePoint point in latency.Curve.Where(point => point.Quantile < 1))
        {
            long calls = (long)Math.Ceiling(point.Quantile * latency.Samples);
            text.Append(CultureInfo.InvariantCulture, $"{point.Us / 1e3,12:F3} {point.Quantile,14:F12} {calls,10} {1 / (1 - point.Quantile),14:F2}\n");
        }

        text.Append(CultureInfo.InvariantCulture, $"{latency.MaxUs / 1e3,12:F3} {1.0,14:F12} {latency.Samples,10}\n");
        text.Append(CultureInfo.InvariantCulture, $"#[Mean    = {latency.MeanUs / 1e3,12:F3}]\n");
        text.Append(CultureInfo.InvariantCulture, $"#[Max     = {latency.MaxUs / 1e3,12:F3}, Total count    = {latency.Samples,12}]\n");
        return text.ToString();
    }
}
