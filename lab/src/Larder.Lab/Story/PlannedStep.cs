namespace Larder.Lab.Story;

/// <summary>An experiment that has not been run yet.</summary>
/// <param name="Id">The id.</param>
/// <param name="Title">The title.</param>
/// <param name="Question">The question that the experiment answers.</param>
/// <param name="Done">A description of the procedure and of the client that is used.</param>
/// <param name="Across">The x axis of the graph; null for a bar graph.</param>
/// <param name="Loads">The loads to measure. Empty for the last step, which runs the tuner instead.</param>
internal sealed record PlannedStep(string Id, string Title, string Question, string Done, string? Across, IReadOnlyList<StoryLoad> Loads)
{
    /// <summary>Returns the step with its measured rows.</summary>
    public StoryStep With(IReadOnlyList<StoryRow> rows) =>
        new() { Id = Id, Title = Title, Question = Question, Done = Done, Across = Across, Rows = rows };
}
