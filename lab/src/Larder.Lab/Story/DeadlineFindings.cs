using Larder.Report.Drawing;

namespace Larder.Lab.Story;

/// <summary>The lessons of the experiment with deadlines: which calls failed, and how far the slowest exceeded its deadline.</summary>
internal static class DeadlineFindings
{
    /// <summary>The tolerated relative excess over a deadline, because timers and the event loop run late.</summary>
    private const double Grace = 0.25;

    /// <summary>Returns the sentences.</summary>
    public static IEnumerable<string?> Of(StoryStep step)
    {
        StoryRow[] burst = [.. step.Rows.Where(row => row.Passes.Count > 0 && row.X >= StoryPlan.BurstDeadlineMs)];
        if (burst.Length > 0)
        {
            yield return $"Of calls with a deadline of 1,100 ms failed: {string.Join("; ", burst.Select(Failed))}.";
        }

        foreach (StoryRow row in step.Rows.Where(row => row.Passes.Count > 0 && row.X < StoryPlan.BurstDeadlineMs))
        {
            bool past = row.SlowestUs > StoryPlan.ShortDeadlineMs * 1_000 * (1 + Grace);
            yield return $"{row.Name}: the slowest call took {Show.Us(row.SlowestUs)}, {(past ? "past" : "within a quarter of")} its deadline"
                + $"{(row.Published is { } published ? $" (published: {published.Text})" : "")}.";
        }
    }

    private static string Failed(StoryRow row)
    {
        string cap = row.X == StoryPlan.BurstDeadlineMs ? "no cap" : $"a cap of {Show.Count(row.X - StoryPlan.BurstDeadlineMs)}";
        return $"{row.Series}, {cap}: {Show.Percent(row.FailedShare)}{(row.Published is { } published ? $" (published: {published.Text})" : "")}";
    }
}
