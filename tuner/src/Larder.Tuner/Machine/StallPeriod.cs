namespace Larder.Tuner.Machine;

/// <summary>A stall of the machine, in seconds since the start of a measurement. Negative times are before the start.</summary>
internal readonly record struct StallPeriod(double FromSeconds, double ToSeconds)
{
    /// <summary>Gets the length in seconds.</summary>
    public double Seconds => ToSeconds - FromSeconds;
}
