namespace Larder.Report.Drawing;

/// <summary>A graph of the report: a picture, and the same figures as a table.</summary>
internal interface IGraph
{
    /// <summary>Its id in the page.</summary>
    string Id { get; }

    /// <summary>Its title.</summary>
    string Title { get; }

    /// <summary>What it shows, for those who hear it.</summary>
    string Description { get; }

    /// <summary>Whether it takes the page's whole width; otherwise two stand side by side.</summary>
    bool Wide { get; }

    /// <summary>The picture.</summary>
    string Svg();

    /// <summary>The figures.</summary>
    (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Table();
}
