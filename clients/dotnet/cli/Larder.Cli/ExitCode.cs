namespace Larder.Cli;

/// <summary>The exit codes of commands.</summary>
internal static class ExitCode
{
    public const int Done = 0;

    /// <summary>The call failed; the reason is on standard error.</summary>
    public const int Failed = 1;

    /// <summary>The command is invalid: an option, a value, an address or a missing file.</summary>
    public const int Usage = 2;

    /// <summary>The item does not exist.</summary>
    public const int Missing = 3;

    /// <summary>Interrupted by Ctrl+C: 128 plus the signal's number, as in shells.</summary>
    public const int Interrupted = 130;

    /// <summary>The description of the codes in the help.</summary>
    public const string InWords =
        "Exit codes: 0 success, 1 the call failed, 2 invalid command, 3 the item does not exist, 130 ended by Ctrl+C.";
}
