namespace Larder.Server.Doctor;

/// <summary>The severity of a check's result, in increasing order.</summary>
internal enum FindingLevel
{
    /// <summary>The check found no problem.</summary>
    Ok,

    /// <summary>The check could not run on this machine, or was not needed.</summary>
    Skipped,

    /// <summary>The server can start, but its operation may be limited.</summary>
    Warning,

    /// <summary>The server cannot start, or cannot serve calls.</summary>
    Error,
}
