namespace Larder.Redis;

/// <summary>The result of passing a command to a connection.</summary>
internal enum SendOutcome
{
    /// <summary>The connection has accepted the command. The caller must no longer access the command.</summary>
    Taken,

    /// <summary>The limit of the connection is reached.</summary>
    Full,

    /// <summary>There is no connection.</summary>
    NotConnected,
}
