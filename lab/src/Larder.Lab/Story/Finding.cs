using System.Globalization;
using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>
/// A sentence about how a figure changed from one row to another, here and as published. It reports what was measured, and says so if that contradicts what was
/// published.
/// </summary>
/// <param name="Between">The compared rows: <c>From 1 to 5 channels</c>.</param>
/// <param name="Figure">The figure: <c>requests per second</c>.</param>
/// <param name="Ratio">The ratio of the later row's median to the earlier one's.</param>
/// <param name="Low">The lowest ratio of the passes.</param>
/// <param name="High">The highest ratio of the passes.</param>
/// <param name="Published">The published ratio, 1 for "no change"; null for none.</param>
internal sealed record Finding(string Between, string Figure, double Ratio, double Low, double High, double? Published)
{
    /// <summary>The relative difference up to which a figure counts as unchanged: the difference between runs on a quiet machine.</summary>
    public const double Unchanged = 0.05;

    /// <summary>If the ratio of two ratios is below this, they count as about the same. These machines vary by a third from one minute to the next.</summary>
    public const double About = 1.5;

    /// <summary>The sentences after a published result that was reproduced, or was not.</summary>
    public const string Agrees = "The results agree.", Differs = "The results differ.";

    /// <summary>Compares two rows; returns null if one of them was not measured or measured nothing.</summary>
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
    /// Gets whether the figure did not change: the change is within the differences between runs, or the passes disagree about its direction.
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
    /// <summary>About the same.</summary>
    AsPublished,

    /// <summary>In the same direction, by less.</summary>
    Less,

    /// <summary>In the same direction, by more.</summary>
    More,

    /// <summary>A change was published, but none was measured.</summary>
    NotSeenHere,

    /// <summary>No change was published, but one was measured.</summary>
    ChangedHereOnly,

    /// <summary>In the other direction.</summary>
    Contrary,
}
