using System.Globalization;
using System.Text.RegularExpressions;
using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report.Compare;

/// <summary>
/// A condition for the change from run A to run B, in %. If the condition is true, the comparison fails. <c>rate&lt;-5%</c> fails if B's proved rate is more
/// than 5 % below A's. <c>p999&gt;10%</c> fails if the p99.9 of B's confirmation is more than 10 % above A's. <c>throughput&lt;-5%</c> compares the throughput
/// at the knee of the closed loop.
/// </summary>
internal sealed partial record CompareGate(string Figure, bool IsBelow, double Percent)
{
    /// <summary>Parses a condition.</summary>
    /// <exception cref="FormatException">The text is not a valid condition.</exception>
    public static CompareGate Parse(string text) => Shape().Match(text.Replace(" ", "", StringComparison.Ordinal)) is { Success: true } match
        ? new(match.Groups["figure"].Value, match.Groups["than"].Value == "<", double.Parse(match.Groups["percent"].Value, CultureInfo.InvariantCulture))
        : throw new FormatException(
            $"invalid --fail-if \"{text}\"; write rate, throughput or p999, then < or >, then a change in %, for example rate<-5%");

    /// <summary>
    /// Returns the change from A to B in %. Returns null if neither run has the value. A run without a proved rate counts as a rate of 0 and an infinite
    /// latency.
    /// </summary>
    public double? ChangeOf(TuneRun a, TuneRun b) => (FigureOf(a), FigureOf(b)) switch
    {
        (null, null) => null,
        (null, _) => Figure == "p999" ? double.NegativeInfinity : double.PositiveInfinity,
        (_, null) => Figure == "p999" ? double.PositiveInfinity : -100,
        ({ } before, { } after) => ((after / before) - 1) * 100,
    };

    /// <summary>Returns whether the comparison fails because the condition is true. If neither run has the value, the condition is false.</summary>
    public bool Fails(TuneRun a, TuneRun b) => ChangeOf(a, b) is { } change && (IsBelow ? change < Percent : change > Percent);

    /// <summary>Returns the result as one line.</summary>
    public string ResultText(TuneRun a, TuneRun b)
    {
        string change = ChangeOf(a, b) is { } percent ? percent.ToString("+0.#;-0.#;0", CultureInfo.InvariantCulture) + " %" : "neither run has a value";
        return $"{(Fails(a, b) ? "FAILED" : "held")}: {this}: {Text(FigureOf(a))} to {Text(FigureOf(b))}, {change}";
    }

    /// <inheritdoc/>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{Figure}{(IsBelow ? '<' : '>')}{Percent:0.###}%");

    private double? FigureOf(TuneRun run) => Figure switch
    {
        "rate" => run.Proved?.RatePerSecond,
        "throughput" => run.KneeRung()?.RequestsPerSecond,
        _ => run.Proved is null ? null : RateAnswer.ProofOf(run.Proved, run.Rates)?.Measured.Latency.P999Us,
    };

    private string Text(double? figure) => figure is null ? "no answer" : Figure == "p999" ? Show.Us(figure) : Show.Count(figure) + " calls per second";

    [GeneratedRegex(@"^(?<figure>rate|throughput|p999)(?<than>[<>])(?<percent>[+-]?[0-9]+(\.[0-9]+)?)%$")]
    private static partial Regex Shape();
}
