using System.Globalization;
using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>
/// A sentence about the change of a value from one row to another, as measured here and as published. If the measurement contradicts the published result, the
/// sentence states that.
/// </summary>
/// <param name="Between">The compared rows, such as <c>From 1 to 5 channels</c>.</param>
/// <param name="Figure">The name of the value, such as <c>requests per second</c>.</param>
/// <param name="Ratio">The ratio of the later row's median to the earlier one's.</param>
/// <param name="Low">The lowest ratio of the passes.</param>
/// <param name="High">The highest ratio of the passes.</param>
/// <param name="Published">The published ratio; null if none was published. 1 means that nothing changed.</param>
internal sealed record Finding(string Between, string Figure, double Ratio, double Low, double High, double? Published)
{
    /// <summary>The relative difference up to which a value counts as unchanged. Runs on an idle machine differ by this much.</summary>
    public const double Unchanged = 0.05;

    /// <summary>
    /// The maximum factor between two ratios that count as about the same. It is large because the speed of the machines varies by a third from one minute to
    /// the next.
    /// </summary>
    public const double About = 1.5;

    /// <summary>The sentences that state whether a published result was reproduced.</summary>
    public const string Agrees = "The results agree.", Differs = "The results differ.";

    /// <summary>Compares two rows. Returns null if one of them is missing or has no measurement.</summary>
    public static Finding? Of(string between, string figure, StoryRow? earlier, StoryRow? later, Func<Measurement, double> of, double? published = null)
    {
        if (earlier is null || later is null || earlier.Passes.Min(of) <= 0 || later.Passes.Min(of) <= 0)
        {
            return null;
        }

        return new(
            between,
            figure,
            later.Middle(of) / earlier.Middle(of),
            later.Passes.Min(of) / earlier.Passes.Max(of),
            later.Passes.Max(of) / earlier.Passes.Min(of),
            published);
    }

    /// <summary>
    /// Gets whether the value did not change. This is the case if the change is within the differences between runs, or if the passes disagree about the
    /// direction of the change.
    /// </summary>
    public bool IsUnchanged => Math.Abs(Ratio - 1) <= Unchanged || (Low < 1 && High > 1);

    /// <summary>Gets the comparison with the published ratio; null if none was published.</summary>
    public Verdict? Verdict => Published switch
    {
        null => null,
        1 => IsUnchanged ? Story.Verdict.AsPublished : Story.Verdict.ChangedHereOnly,
        _ when IsUnchanged => Story.Verdict.NotSeenHere,
        { } published when published > 1 != Ratio > 1 => Story.Verdict.Contrary,
        { } published => (Math.Log(Ratio) / Math.Log(published), Math.Abs(Math.Log(Ratio / published)) <= Math.Log(About)) switch
        {
            (_, true) => Story.Verdict.AsPublished,
            (var part, _) when part < 1 => Story.Verdict.Less,
            _ => Story.Verdict.More,
        },
    };

    public string Sentence =>
        $"{Between}, {Figure} {Change(Ratio, IsUnchanged)}{Spread}."
        + (Published is { } published ? $" Published: it {Change(published, published == 1)}. {Words(Verdict!.Value)}" : "");

    private string Spread => Low == High ? "" : string.Create(CultureInfo.InvariantCulture, $" (ratio across passes: {Factor(Low)} to {Factor(High)})");

    private static string Words(Verdict verdict) => verdict switch
    {
        Story.Verdict.AsPublished => Agrees,
        Story.Verdict.Less => "The change is smaller here.",
        Story.Verdict.More => "The change is larger here.",
        Story.Verdict.NotSeenHere => "The change was not reproduced.",
        Story.Verdict.ChangedHereOnly => Differs,
        _ => "The result here is the opposite.",
    };

    private static string Change(double ratio, bool unchanged) => unchanged
        ? "did not change"
        : ratio > 1 ? $"increased by a factor of {Factor(ratio)}" : $"decreased by a factor of {Factor(1 / ratio)}";

    private static string Factor(double ratio) => ratio switch
    {
        >= 9.95 => Show.Count(Math.Round(ratio)),
        _ => ratio.ToString("0.##", CultureInfo.InvariantCulture),
    };
}

/// <summary>The comparison of a measured with a published ratio.</summary>
internal enum Verdict
{
    /// <summary>The measured change is about the same as the published one.</summary>
    AsPublished,

    /// <summary>The measured change has the same direction, but is smaller.</summary>
    Less,

    /// <summary>The measured change has the same direction, but is larger.</summary>
    More,

    /// <summary>A change was published, but no change was measured.</summary>
    NotSeenHere,

    /// <summary>No change was published, but a change was measured.</summary>
    ChangedHereOnly,

    /// <summary>The measured change has the opposite direction.</summary>
    Contrary,
}
