namespace Larder.Report.Drawing;

/// <summary>An axis: what it is about, its scale, and how the table writes its values.</summary>
internal sealed record Axis(string Title, IScale Scale, Func<double, string> Cell);
