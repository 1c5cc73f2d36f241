namespace Larder.Report.Drawing;

/// <summary>From values to a place between 0 and 1, and where to put ticks.</summary>
internal interface IScale
{
    /// <summary>Where a value is; outside of the scale it is below 0 or above 1.</summary>
    double At(double value);

    /// <summary>Ticks, ascending: values that are easy to read, few enough to label.</summary>
    IReadOnlyList<Tick> Ticks { get; }
}

/// <summary>A tick; one without a label is a fine line only.</summary>
internal readonly record struct Tick(double Value, string Label);
