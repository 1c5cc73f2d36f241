namespace Larder.Cli;

/// <summary>The outcome of a key for a line.</summary>
internal enum LineOutcome
{
    /// <summary>The line is not complete.</summary>
    GoesOn,

    /// <summary>The line is complete and must be run.</summary>
    Entered,

    /// <summary>Ctrl+C: the line is discarded.</summary>
    Dropped,

    /// <summary>Ctrl+D on an empty line: the shell exits.</summary>
    Ended,
}
