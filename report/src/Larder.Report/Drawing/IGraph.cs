namespace Larder.Report.Drawing;

/// <summary>A graph of the report: a picture, and the same figures as a table.</summary>
internal interface IGraph
{
    /// <summary>Gets the id in the page.</summary>
    string Id { get; }

    string Title { get; }

    /// <summary>Gets a description of the graph for screen readers.</summary>
    string Description { get; }

    /// <summary>Gets whether the graph takes the full width of the page; otherwise two graphs share a row.</summary>
    bool Wide { get; }

    /// <summary>Returns the SVG element.</summary>
    string Svg();

    /// <summary>Returns the figures as a table.</summary>
    (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Table();
}
