using System.Globalization;

namespace Larder.Tuner.Tune;

/// <summary>
/// What a build may rely on: <c>p999&lt;20ms</c> (of the proof at 70 % of the knee's throughput, from the intended start), <c>p99@85&lt;10ms</c> (at 85 %), or
/// <c>throughput&gt;10000</c> (calls a second at the knee).
/// </summary>
/// <param name="Quantile"><c>p50 p90 p99 p999</c>; null for throughput.</param>
/// <param name="LoadPercent">Which load of the proof: 50, 70, 85 or 95.</param>
/// <param name="Bound">µs, or calls a second.</param>
internal readonly record struct TuneAssertion(string? Quantile, int LoadPercent, double Bound)
{
    /// <summary>The load whose latency is meant when none is named: busy, with room for a burst.</summary>
    private const int UsualLoad = 70;

    /// <summary>Reads one.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static TuneAssertion Parse(string text)
    {
        string[] pieces = text.Split('>', StringSplitOptions.TrimEntries);
        if (pieces is ["throughput", var rate])
        {
            return double.TryParse(rate, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double least)
                ? new(null, UsualLoad, least)
                : throw new FormatException($"throughput is compared with calls a second, such as throughput>10000; not \"{rate}\"");
        }

        pieces = text.Split('<', StringSplitOptions.TrimEntries);
        if (pieces.Length != 2)
        {
            throw new FormatException($"an assertion is p999<20ms, p999@85<20ms or throughput>10000; not \"{text}\"");
        }

        string[] place = pieces[0].Split('@');
        _ = TargetText.ShareOf(place[0]);
        return new(
            TargetText.NameOf(place[0]),
            place.Length == 1 ? UsualLoad : LoadOf(place[1]),
            DurationText.Parse(pieces[1], "an assertion's latency").TotalMicroseconds);
    }

    /// <summary>Whether a figure holds: a latency in µs below the bound, a throughput above it.</summary>
    public bool Holds(double figure) => Quantile is null ? figure > Bound : figure < Bound;

    /// <inheritdoc/>
    public override string ToString() => Quantile is null
        ? string.Create(CultureInfo.InvariantCulture, $"throughput>{Bound:0.###}")
        : $"{Quantile}@{LoadPercent}<{DurationText.Of(TimeSpan.FromMicroseconds(Bound))}";

    private static int LoadOf(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int load) && TuneOptions.ProofLoads.Contains(load)
            ? load
            : throw new FormatException($"the proof's loads are {string.Join(", ", TuneOptions.ProofLoads)} %; not \"{text}\"");
}
