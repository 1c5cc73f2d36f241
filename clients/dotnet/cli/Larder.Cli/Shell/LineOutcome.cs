namespace Larder.Cli;

/// <summary>What a key made of a line.</summary>
internal enum LineOutcome
{
    /// <summary>More is to come.</summary>
    GoesOn,

    /// <summary>It is to be run.</summary>
    Entered,

    /// <summary>Ctrl+C: it is forgotten.</summary>
    Dropped,

    /// <summary>Ctrl+D on an empty line: the shell ends.</summary>
    Ended,
}
