namespace Larder.Report.Drawing;

/// <summary>An axis: its title, its scale, and how the table formats its values.</summary>
internal sealed record Axis(string Title, IScale Scale, Func<double, string> Cell);
