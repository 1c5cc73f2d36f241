namespace Larder.Cli;

/// <summary>What to do with a line after a key was pressed.</summary>
internal enum LineOutcome
{
    /// <summary>Continue editing the line.</summary>
    GoesOn,

    /// <summary>Run the line, because the user pressed Enter.</summary>
    Entered,

    /// <summary>Discard the line, because the user pressed Ctrl+C.</summary>
    Dropped,

    /// <summary>Exit the shell, because the user pressed Ctrl+D on an empty line.</summary>
    Ended,
}
