namespace Larder.Harness.Processes;

/// <summary>Signal numbers on Linux.</summary>
public static class Signals
{
    public const int HangUp = 1;
    public const int Interrupt = 2;
    public const int Kill = 9;
    public const int Terminate = 15;
    public const int Continue = 18;
    public const int Stop = 19;
}
