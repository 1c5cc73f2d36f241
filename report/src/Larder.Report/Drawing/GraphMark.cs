namespace Larder.Report.Drawing;

/// <summary>A mark in a graph, in addition to its lines. A mark with both coordinates is a ring, with one coordinate a straight line.</summary>
internal sealed record GraphMark(string Label, string Look, double? X = null, double? Y = null);
