namespace Larder.Server.Security;

/// <summary>What an audit is told of.</summary>
internal enum AuditKind
{
    /// <summary>A call showed no token, or none that is known.</summary>
    Unauthenticated,

    /// <summary>A known token has not the role.</summary>
    Denied,

    /// <summary>An address failed too often, and is refused for a while.</summary>
    DoorShut,

    /// <summary>A file was read again.</summary>
    Reloaded,

    /// <summary>A file could not be read again.</summary>
    NotReloaded,

    /// <summary>A disposable token was given.</summary>
    TokenGiven,

    /// <summary>The console changed something.</summary>
    ConsoleAction,
}
