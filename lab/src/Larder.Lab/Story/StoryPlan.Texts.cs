namespace Larder.Lab.Story;

/// <content>Updates the texts of stored runs. A file contains the texts of the version that wrote it, but pages use those of the current version.</content>
internal static partial class StoryPlan
{
    /// <summary>
    /// Returns the run with the titles, questions and names of the current version. Returns the run unchanged if its loads differ from those of the current
    /// plan.
    /// </summary>
    public static StoryRun WithCurrentTexts(StoryRun run)
    {
        var options = new StoryOptions { Client = run.Language };
        IReadOnlyList<PlannedStep> plan = Of(options with { Most = run.Most ?? options.Most });
        PlannedStep?[] planned = [.. run.Steps.Select(step => plan.FirstOrDefault(one => one.Id == step.Id && HasRowsOf(step, one)))];
        return planned.Any(static one => one is null) ? run : run with { Steps = [.. run.Steps.Zip(planned, (step, one) => WithTextsOf(step, one!))] };
    }

    private static bool HasRowsOf(StoryStep step, PlannedStep planned) =>
        planned.Loads.Count == 0 || step.Rows.Count == 0 || step.Rows.Select(row => row.X).SequenceEqual(planned.Loads.Select(load => load.X));

    private static StoryStep WithTextsOf(StoryStep step, PlannedStep planned) => step with
    {
        Title = planned.Title,
        Question = planned.Question,
        Done = planned.Done,
        Across = planned.Across,
        Rows = planned.Loads.Count == 0 ? step.Rows : [.. step.Rows.Zip(planned.Loads, (row, load) => WithTextsOf(row, load))],
    };

    private static StoryRow WithTextsOf(StoryRow row, StoryLoad load) => row with
    {
        Name = load.Name,
        Series = load.Series,
        Published = row.Published is { } published ? published with { Text = load.Published?.Text ?? published.Text } : null,
    };
}
