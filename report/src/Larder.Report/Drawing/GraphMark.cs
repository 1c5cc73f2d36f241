namespace Larder.Report.Drawing;

/// <summary>Something to see in a graph beside its lines. A mark with both coordinates is a ring, with one a line across.</summary>
internal sealed record GraphMark(string Label, string Look, double? X = null, double? Y = null);
