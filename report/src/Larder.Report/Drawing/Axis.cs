namespace Larder.Report.Drawing;

/// <summary>An axis: its title, its scale, and the format of its values in the table.</summary>
internal sealed record Axis(string Title, IScale Scale, Func<double, string> Cell);
