namespace Larder.Lab.Story;

/// <summary>One experiment: the question, the procedure and the results.</summary>
internal sealed record StoryStep
{
    /// <summary>
    /// Gets the id in addresses and files: <c>naive</c>, <c>channels</c>, <c>pool</c>, <c>callers</c>, <c>connections</c>, <c>loops</c>, <c>deadline</c>,
    /// <c>processes</c>, <c>laptop</c>, <c>region</c> or <c>targets</c>.
    /// </summary>
    public required string Id { get; init; }

    public required string Title { get; init; }

    public required string Question { get; init; }

    /// <summary>Gets the procedure, and the client that was used.</summary>
    public required string Done { get; init; }

    /// <summary>Gets the x axis of the graph, such as <c>channels</c> or <c>callers</c>. Null if the rows are not a sweep and are drawn as bars.</summary>
    public string? Across { get; init; }

    /// <summary>Gets the measured rows.</summary>
    public IReadOnlyList<StoryRow> Rows { get; init; } = [];

    /// <summary>Gets the tuner's results for the targets. Only the last step has them.</summary>
    public IReadOnlyList<StoryResult> Answers { get; init; } = [];

    /// <summary>Gets the reason why part of the step is missing; null if the step is complete.</summary>
    public string? Failure { get; init; }

    /// <summary>Gets the duration, in s.</summary>
    public double TookSeconds { get; init; }

    /// <summary>Returns the row with this line and x position; null if it was not measured.</summary>
    public StoryRow? Row(string series, double x) => Rows.FirstOrDefault(row => row.Series == series && row.X == x && row.Passes.Count > 0);

    /// <summary>Returns the rows of a line, in order.</summary>
    public IEnumerable<StoryRow> Line(string series) => Rows.Where(row => row.Series == series && row.Passes.Count > 0);
}
