using Larder.Report.Drawing;

namespace Larder.Lab.Story;

/// <summary>The conclusions from the experiment with connections.</summary>
internal static class ConnectionFindings
{
    /// <summary>Returns the sentences.</summary>
    public static IEnumerable<string?> Of(StoryStep step)
    {
        StoryRow[] bare = Known(step, StoryPlan.Uncapped);
        if (bare.Length > 0)
        {
            bool same = bare.All(row => row.Connections == row.Published?.Connections);
            yield return Counts(bare, "Grpc.Net.Client without a concurrency limit")
                + $". Published: {Figures(bare.Select(row => row.Published?.Connections))}. {StoryFindings.Same(same)}";
        }

        StoryRow[] off = Known(step, StoryPlan.OursUncapped);
        StoryRow[] on = Known(step, StoryPlan.OursCapped);
        if (off.Length > 0)
        {
            yield return Counts(off, "Larder with its concurrency limit off")
                + (on.Length > 0 ? $", and {Figures(on.Select(row => row.Connections))} with the limit on." : ".");
        }
    }

    private static StoryRow[] Known(StoryStep step, string series) => [.. step.Line(series).Where(row => row.Connections is not null)];

    private static string Counts(IReadOnlyList<StoryRow> rows, string client) =>
        $"With {Figures(rows.Select(row => (double?)row.X))} callers, {client} opened {Figures(rows.Select(row => row.Connections))} connections";

    private static string Figures(IEnumerable<double?> figures) => string.Join(", ", figures.Select(Show.Count));
}
