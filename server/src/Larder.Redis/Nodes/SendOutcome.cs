namespace Larder.Redis;

/// <summary>What became of a command that was given to a connection.</summary>
internal enum SendOutcome
{
    /// <summary>It is the connection's; the giver may not look at it any more.</summary>
    Taken,

    /// <summary>The connection holds as much as it may.</summary>
    Full,

    /// <summary>There is no connection.</summary>
    NotConnected,
}
