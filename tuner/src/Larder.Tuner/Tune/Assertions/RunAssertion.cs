using System.Globalization;
using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Assertions;

/// <summary>
/// An assertion for CI. Examples are <c>rate&gt;=10000</c> (the proved rate), <c>p999&lt;20ms</c> (the latency in the confirmation of the proved rate, measured
/// from the scheduled times), and <c>throughput&gt;10000</c> (calls per second at the knee of the closed loop).
/// </summary>
/// <param name="Figure">The name of the value: rate, throughput, p50, p90, p99 or p999.</param>
/// <param name="Comparison">The comparison operator: <c>&lt;</c>, <c>&lt;=</c>, <c>&gt;</c> or <c>&gt;=</c>.</param>
/// <param name="Bound">The bound, in µs or in calls per second.</param>
internal readonly record struct RunAssertion(string Figure, string Comparison, double Bound)
{
    private static readonly string[] s_comparisons = ["<=", ">=", "<", ">"];

    public bool IsLatency => Figure is not ("rate" or "throughput");

    /// <summary>Parses an assertion.</summary>
    /// <exception cref="FormatException">The text is not a valid assertion.</exception>
    public static RunAssertion Parse(string text)
    {
        string comparison = s_comparisons.FirstOrDefault(text.Contains)
            ?? throw new FormatException($"an assertion must be like rate>=10000, p999<20ms or throughput>10000, but is \"{text}\"");
        string[] pieces = text.Split(comparison, 2, StringSplitOptions.TrimEntries);
        if (pieces[0].Contains('@'))
        {
            throw new FormatException(
                "a latency assertion must not contain a percentage, because the latency is measured while confirming the proved rate; "
                    + $"write it like p999<20ms, not \"{text}\"");
        }

        bool isLatency = pieces[0] is not ("rate" or "throughput");
        if (isLatency)
        {
            _ = TargetText.ShareOf(pieces[0]);
        }

        return isLatency == comparison.StartsWith('<')
            ? new(isLatency ? TargetText.NameOf(pieces[0]) : pieces[0], comparison, isLatency ? Latency(pieces[1]) : Calls(pieces[1], pieces[0]))
            : throw new FormatException(
                $"wrong operator in \"{text}\"; a latency assertion must use < or <=, and a rate or throughput assertion must use > or >=");
    }

    /// <summary>Returns whether the assertion is true for a value in µs or calls per second.</summary>
    public bool Holds(double figure) => Comparison switch
    {
        "<" => figure < Bound,
        "<=" => figure <= Bound,
        ">" => figure > Bound,
        _ => figure >= Bound,
    };

    /// <inheritdoc/>
    public override string ToString() =>
        Figure + Comparison + (IsLatency ? DurationText.Of(TimeSpan.FromMicroseconds(Bound)) : Bound.ToString("0.###", CultureInfo.InvariantCulture));

    private static double Latency(string text) => DurationText.Parse(text, "the latency of an assertion").TotalMicroseconds;

    private static double Calls(string text, string figure) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double least)
            ? least
            : throw new FormatException($"\"{text}\" is not a number of calls per second; write an assertion such as {figure}>10000");
}
