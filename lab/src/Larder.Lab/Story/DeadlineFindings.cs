using Larder.Report.Drawing;

namespace Larder.Lab.Story;

/// <summary>The conclusions from the experiment with deadlines: which calls failed, and by how much the slowest call exceeded its deadline.</summary>
internal static class DeadlineFindings
{
    /// <summary>The tolerated relative excess over a deadline. It is needed because timers and the event loop run late.</summary>
    private const double Grace = 0.25;

    /// <summary>Returns the sentences.</summary>
    public static IEnumerable<string?> Of(StoryStep step)
    {
        StoryRow[] burst = [.. step.Rows.Where(row => row.Passes.Count > 0 && row.X >= StoryPlan.BurstDeadlineMs)];
        if (burst.Length > 0)
        {
            yield return $"Calls that failed with a deadline of 1,100 ms: {string.Join("; ", burst.Select(Failed))}.";
        }

        foreach (StoryRow row in step.Rows.Where(row => row.Passes.Count > 0 && row.X < StoryPlan.BurstDeadlineMs))
        {
            bool past = row.SlowestUs > StoryPlan.ShortDeadlineMs * 1_000 * (1 + Grace);
            string result = past ? "which exceeds the deadline by more than 25 %" : "which meets the deadline (with a tolerance of 25 %)";
            yield return $"{row.Name}: the slowest call took {Show.Us(row.SlowestUs)}, {result}."
                + $"{(row.Published is { } published ? $" Published: {published.Text}." : "")}";
        }
    }

    private static string Failed(StoryRow row)
    {
        string limit = StoryPlan.LimitText((int)(row.X - StoryPlan.BurstDeadlineMs));
        return $"{row.Series}, {limit}: {Show.Percent(row.FailedShare)}{(row.Published is { } published ? $" (published: {published.Text})" : "")}";
    }
}
