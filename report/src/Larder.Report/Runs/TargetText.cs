using Larder.Report.Drawing;

namespace Larder.Report.Runs;

/// <summary>Parses and formats targets as users type them: <c>p999=5ms</c>.</summary>
internal static class TargetText
{
    private static readonly Dictionary<string, double> s_quantiles = new()
    {
        ["p50"] = 0.5,
        ["p90"] = 0.9,
        ["p99"] = 0.99,
        ["p999"] = 0.999,
        ["p99.9"] = 0.999,
    };

    /// <summary>Parses a target.</summary>
    /// <exception cref="FormatException">The text is not a valid target.</exception>
    public static TuneTarget Parse(string text)
    {
        string[] pieces = text.Split('=', StringSplitOptions.TrimEntries);
        if (pieces.Length != 2 || !s_quantiles.TryGetValue(pieces[0], out double share))
        {
            throw new FormatException($"a target must be p50, p90, p99 or p999, followed by = and a duration, such as p999=5ms, but is \"{text}\"");
        }

        TimeSpan limit = DurationText.Parse(pieces[1], "the latency of a target");
        return limit > TimeSpan.Zero ? new(share, limit.TotalMicroseconds) : throw new FormatException(
            $"the latency of a target must be greater than 0, but is \"{pieces[1]}\"");
    }

    /// <summary>Formats a target for readers: <c>p99.9 &lt; 5 ms</c>.</summary>
    public static string Of(TuneTarget target) => $"{target.Name()} < {Show.ShortUs(target.LimitUs)}";

    /// <summary>Returns the quantile with a name, as a share of calls from 0 to 1.</summary>
    /// <exception cref="FormatException">The name is unknown.</exception>
    public static double ShareOf(string quantile) =>
        s_quantiles.TryGetValue(quantile, out double share)
            ? share
            : throw new FormatException($"unknown quantile \"{quantile}\"; use p50, p90, p99 or p999");

    /// <summary>Normalizes the name of a quantile.</summary>
    public static string NameOf(string quantile) => quantile == "p99.9" ? "p999" : quantile;
}
