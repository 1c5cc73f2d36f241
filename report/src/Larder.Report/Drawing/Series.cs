namespace Larder.Report.Drawing;

/// <summary>A line of a graph.</summary>
/// <param name="Name">The name at the end of the line and above its column in the table.</param>
/// <param name="Look">The CSS class of its colour: see <c>graph.css</c>.</param>
/// <param name="Points">The points, in order of x.</param>
internal sealed record Series(string Name, string Look, IReadOnlyList<GraphPoint> Points)
{
    /// <summary>Gets whether the line is dashed, as for intended values, a second run or another library.</summary>
    public bool Dashed { get; init; }

    /// <summary>Gets the bounds of the line, in order of x; empty if there are none.</summary>
    public IReadOnlyList<(double X, double Low, double High)> Band { get; init; } = [];

    /// <summary>Gets the shape of the points, which distinguishes lines without colours.</summary>
    public PointShape Shape { get; init; }
}

/// <summary>A point with its coordinates and an optional remark.</summary>
internal readonly record struct GraphPoint(double X, double Y, string Note = "");

/// <summary>The shape of points.</summary>
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
