namespace Larder.Lab.Story;

/// <summary>One experiment: what was asked, what was done, and what came.</summary>
internal sealed record StoryStep
{
    /// <summary>Its name in addresses and files: <c>naive channels pool callers connections loops deadline processes laptop region targets</c>.</summary>
    public required string Id { get; init; }

    /// <summary>Its title.</summary>
    public required string Title { get; init; }

    /// <summary>The question.</summary>
    public required string Question { get; init; }

    /// <summary>What was done, and with which client.</summary>
    public required string Done { get; init; }

    /// <summary>What goes across the graph: <c>channels</c>, <c>callers</c>; null where the rows are no sweep and are drawn as bars.</summary>
    public string? Across { get; init; }

    /// <summary>What was measured.</summary>
    public IReadOnlyList<StoryRow> Rows { get; init; } = [];

    /// <summary>Answers on a schedule; of the targets alone.</summary>
    public IReadOnlyList<StoryAnswer> Answers { get; init; } = [];

    /// <summary>Why some of it is missing; null where nothing is.</summary>
    public string? Failure { get; init; }

    /// <summary>How long it took, in s.</summary>
    public double TookSeconds { get; init; }

    /// <summary>The row of this line and place; null where it was not measured.</summary>
    public StoryRow? Row(string series, double x) => Rows.FirstOrDefault(row => row.Series == series && row.X == x && row.Passes.Count > 0);

    /// <summary>The rows of a line, in order.</summary>
    public IEnumerable<StoryRow> Line(string series) => Rows.Where(row => row.Series == series && row.Passes.Count > 0);
}
