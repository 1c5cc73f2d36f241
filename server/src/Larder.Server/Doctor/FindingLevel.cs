namespace Larder.Server.Doctor;

/// <summary>The result of a check, from good to bad.</summary>
internal enum FindingLevel
{
    /// <summary>The check found no problem.</summary>
    Ok,

    /// <summary>The check could not be made on this machine.</summary>
    Skipped,

    /// <summary>The server can start, but its operation may be limited.</summary>
    Warning,

    /// <summary>The server cannot start, or cannot serve calls.</summary>
    Error,
}
