namespace Larder.Tuner.Processes;

/// <summary>Numbers of signals, as Linux has them.</summary>
internal static class Signals
{
    public const int Kill = 9;
    public const int Continue = 18;
    public const int Stop = 19;
}
