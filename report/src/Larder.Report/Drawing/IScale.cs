namespace Larder.Report.Drawing;

/// <summary>Maps values to positions between 0 and 1, and chooses the ticks.</summary>
internal interface IScale
{
    /// <summary>Returns the position of a value. It is below 0 or above 1 if the value is outside the scale.</summary>
    double At(double value);

    /// <summary>Gets the ticks in ascending order. Their values are easy to read, and there are few enough to label.</summary>
    IReadOnlyList<Tick> Ticks { get; }
}

/// <summary>A tick. A tick without a label is only a thin line.</summary>
internal readonly record struct Tick(double Value, string Label);
