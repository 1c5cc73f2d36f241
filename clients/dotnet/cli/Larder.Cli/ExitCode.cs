namespace Larder.Cli;

/// <summary>What a command's exit code says to a script.</summary>
internal static class ExitCode
{
    public const int Done = 0;

    /// <summary>The call failed; the reason is on standard error.</summary>
    public const int Failed = 1;

    /// <summary>The item does not exist.</summary>
    public const int Missing = 3;
}
