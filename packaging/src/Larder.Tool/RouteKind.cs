namespace Larder.Tool;

/// <summary>What becomes of a command.</summary>
internal enum RouteKind
{
    /// <summary>The list of commands is printed.</summary>
    Help,

    /// <summary>The version is printed.</summary>
    Version,

    /// <summary>The command line to a server, in this process: who types a get waits for its start.</summary>
    Here,

    /// <summary>Another program of this package, in place of this one.</summary>
    Program,

    /// <summary>It needs what is in the repository and not in the package.</summary>
    Refused,
}
