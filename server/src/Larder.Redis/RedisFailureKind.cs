namespace Larder.Redis;

/// <summary>Why a command has no answer (FLEET-8).</summary>
public enum RedisFailureKind
{
    /// <summary>The key holds another type.</summary>
    WrongType,

    /// <summary>The value is not an integer (or not a number) where the command needs one.</summary>
    NotAnInteger,

    /// <summary>The increment would pass the 64-bit integers.</summary>
    Overflow,

    /// <summary>The engine is at its memory limit and evicts nothing: not executed.</summary>
    OutOfMemory,

    /// <summary>No node took it in time: loading, failing over, not reachable, too many redirects, too few replicas. Not executed.</summary>
    Unavailable,

    /// <summary>The connection was lost after it was sent: it may have run.</summary>
    Ambiguous,

    /// <summary>As many calls as the connection, or the queue of those that wait for a node, may hold: not executed.</summary>
    Overloaded,

    /// <summary>The engine refuses our name, password or permission: not executed. The advice is in the log.</summary>
    Refused,

    /// <summary>Its deadline passed: not executed where it was not sent yet.</summary>
    TimedOut,

    /// <summary>Any other error of the engine or of a script, in its own words.</summary>
    Other,
}
