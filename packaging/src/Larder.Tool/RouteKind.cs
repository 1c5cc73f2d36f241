namespace Larder.Tool;

/// <summary>How a command is handled.</summary>
internal enum RouteKind
{
    /// <summary>Prints the list of commands.</summary>
    Help,

    /// <summary>Prints the version.</summary>
    Version,

    /// <summary>Runs the client command line in this process, so that interactive commands such as get start quickly.</summary>
    Here,

    /// <summary>Replaces this process with another program of the package.</summary>
    Program,

    /// <summary>Fails, because the command needs files that are only in the repository.</summary>
    Refused,
}
