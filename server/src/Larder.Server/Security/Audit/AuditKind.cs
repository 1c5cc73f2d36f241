namespace Larder.Server.Security;

/// <summary>The kinds of events in the audit.</summary>
internal enum AuditKind
{
    /// <summary>The token of a call was missing or unknown.</summary>
    Unauthenticated,

    /// <summary>A known token did not have the role that the call requires.</summary>
    Denied,

    /// <summary>Too many attempts from an address failed to authenticate, so its calls are rejected for some time.</summary>
    DoorShut,

    /// <summary>A file was reloaded.</summary>
    Reloaded,

    /// <summary>A file could not be reloaded.</summary>
    NotReloaded,

    /// <summary>A disposable token was issued.</summary>
    TokenGiven,

    /// <summary>A user of the console changed something.</summary>
    ConsoleAction,
}
