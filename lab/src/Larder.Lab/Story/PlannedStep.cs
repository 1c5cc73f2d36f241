namespace Larder.Lab.Story;

/// <summary>An experiment before it is run.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Title">Its title.</param>
/// <param name="Question">The question.</param>
/// <param name="Done">What is done, and with which client.</param>
/// <param name="Across">What goes across its graph; null for bars.</param>
/// <param name="Loads">What is measured; none for the targets, which are tuned.</param>
internal sealed record PlannedStep(string Id, string Title, string Question, string Done, string? Across, IReadOnlyList<StoryLoad> Loads)
{
    /// <summary>The step with what was measured of it.</summary>
    public StoryStep With(IReadOnlyList<StoryRow> rows) =>
        new() { Id = Id, Title = Title, Question = Question, Done = Done, Across = Across, Rows = rows };
}
