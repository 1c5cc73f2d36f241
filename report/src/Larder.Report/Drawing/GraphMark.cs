namespace Larder.Report.Drawing;

/// <summary>
/// A mark in a graph, in addition to its lines. A mark with both coordinates is drawn as a ring. A mark with one coordinate is drawn as a straight line.
/// </summary>
internal sealed record GraphMark(string Label, string Look, double? X = null, double? Y = null);
