namespace Larder.Report.Drawing;

/// <summary>A line of a graph.</summary>
/// <param name="Name">Written at its end, and over its column in the table.</param>
/// <param name="Look">The class that gives its colour: see <c>graph.css</c>.</param>
/// <param name="Points">In order of x.</param>
internal sealed record Series(string Name, string Look, IReadOnlyList<GraphPoint> Points)
{
    /// <summary>Whether it is dashed: what is intended, a second run, another library.</summary>
    public bool Dashed { get; init; }

    /// <summary>Its bounds, in order of x; empty where it has none.</summary>
    public IReadOnlyList<(double X, double Low, double High)> Band { get; init; } = [];

    /// <summary>The shape of its points, so that lines can be told apart without colours.</summary>
    public PointShape Shape { get; init; }
}

/// <summary>A point: where, and anything to say of it beside its figures.</summary>
internal readonly record struct GraphPoint(double X, double Y, string Note = "");

/// <summary>Shapes of points.</summary>
internal enum PointShape
{
    /// <summary>●</summary>
    Circle,

    /// <summary>■</summary>
    Square,

    /// <summary>▲</summary>
    Triangle,

    /// <summary>◆</summary>
    Diamond,

    /// <summary>No points, only the line.</summary>
    None,
}
