namespace Larder.Report.Drawing;

/// <summary>Maps values to positions between 0 and 1, and chooses the ticks.</summary>
internal interface IScale
{
    /// <summary>Returns the position of a value; below 0 or above 1 if it is outside the scale.</summary>
    double At(double value);

    /// <summary>Gets the ticks in ascending order: readable values, few enough to label.</summary>
    IReadOnlyList<Tick> Ticks { get; }
}

/// <summary>A tick; without a label it is only a thin line.</summary>
internal readonly record struct Tick(double Value, string Label);
