namespace Larder.Report.Drawing;

/// <summary>A graph of the report: a picture, and a table with the same values.</summary>
internal interface IGraph
{
    /// <summary>Gets the id of the graph in the page.</summary>
    string Id { get; }

    string Title { get; }

    /// <summary>Gets a description of the graph for screen readers.</summary>
    string Description { get; }

    /// <summary>Gets whether the graph has the full width of the page. Otherwise two graphs share a row.</summary>
    bool Wide { get; }

    /// <summary>Returns the SVG element.</summary>
    string Svg();

    /// <summary>Returns the values as a table.</summary>
    (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Table();
}
