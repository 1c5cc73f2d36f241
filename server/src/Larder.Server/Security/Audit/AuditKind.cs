namespace Larder.Server.Security;

/// <summary>The kinds of events in the audit.</summary>
internal enum AuditKind
{
    /// <summary>A call had no token or an unknown token.</summary>
    Unauthenticated,

    /// <summary>A known token lacked the role for the call.</summary>
    Denied,

    /// <summary>An address failed to authenticate too often and is rejected for a while.</summary>
    DoorShut,

    /// <summary>A file was reloaded.</summary>
    Reloaded,

    /// <summary>A file could not be reloaded.</summary>
    NotReloaded,

    /// <summary>A disposable token was issued.</summary>
    TokenGiven,

    /// <summary>The console changed something.</summary>
    ConsoleAction,
}
