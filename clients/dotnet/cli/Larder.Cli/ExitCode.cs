namespace Larder.Cli;

/// <summary>The exit codes of commands.</summary>
internal static class ExitCode
{
    public const int Done = 0;

    /// <summary>The call failed. The reason was printed to standard error.</summary>
    public const int Failed = 1;

    /// <summary>The command is invalid, for example because of an unknown option, an invalid value or address, or a missing file.</summary>
    public const int Usage = 2;

    /// <summary>The item does not exist.</summary>
    public const int Missing = 3;

    /// <summary>The command was interrupted by Ctrl+C. As in shells, the code is 128 plus the number of the signal.</summary>
    public const int Interrupted = 130;

    /// <summary>The description of the codes in the help.</summary>
    public const string InWords =
        "Exit codes: 0 success, 1 the call failed, 2 invalid command, 3 the item does not exist, 130 ended by Ctrl+C.";
}
