namespace Larder.Cli;

/// <summary>What a command's exit code says to a script.</summary>
internal static class ExitCode
{
    public const int Done = 0;

    /// <summary>The call failed; the reason is on standard error.</summary>
    public const int Failed = 1;

    /// <summary>The command is wrong: an option, a value, an address, a file that is not there.</summary>
    public const int Usage = 2;

    /// <summary>The item does not exist.</summary>
    public const int Missing = 3;

    /// <summary>Ended by Ctrl+C: 128 and the signal's number, as shells have it.</summary>
    public const int Interrupted = 130;

    /// <summary>The codes in words, for the help.</summary>
    public const string InWords =
        "Exit code 0: done, 1: the call failed, 2: the command is wrong, 3: the item does not exist, 130: ended by Ctrl+C.";
}
