namespace Larder.Report.Drawing;

/// <summary>A line of a graph.</summary>
/// <param name="Name">The name of the line. It is shown at the end of the line and as the header of its column in the table.</param>
/// <param name="Look">The CSS class of the line, which sets its colour in <c>graph.css</c>.</param>
/// <param name="Points">The points, in order of x.</param>
internal sealed record Series(string Name, string Look, IReadOnlyList<GraphPoint> Points)
{
    /// <summary>Gets whether the line is dashed. Lines of intended values, of a second run and of other libraries are dashed.</summary>
    public bool Dashed { get; init; }

    /// <summary>Gets the bounds of the line, in order of x; empty if the line has no bounds.</summary>
    public IReadOnlyList<(double X, double Low, double High)> Band { get; init; } = [];

    /// <summary>Gets the shape of the points. It distinguishes lines for readers who cannot distinguish the colours.</summary>
    public PointShape Shape { get; init; }
}

/// <summary>A point with its coordinates and an optional remark.</summary>
internal readonly record struct GraphPoint(double X, double Y, string Note = "");

/// <summary>The shape of points.</summary>
internal enum PointShape
{
    /// <summary>A circle: ●</summary>
    Circle,

    /// <summary>A square: ■</summary>
    Square,

    /// <summary>A triangle: ▲</summary>
    Triangle,

    /// <summary>A diamond: ◆</summary>
    Diamond,

    /// <summary>No points. Only the line is drawn.</summary>
    None,
}
