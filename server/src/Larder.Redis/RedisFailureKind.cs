namespace Larder.Redis;

/// <summary>The kinds of failures of a command (FLEET-8).</summary>
public enum RedisFailureKind
{
    /// <summary>The key contains a value of another type.</summary>
    WrongType,

    /// <summary>The command requires an integer or a number, but the value is something else.</summary>
    NotAnInteger,

    /// <summary>The result of the increment does not fit in a 64-bit integer.</summary>
    Overflow,

    /// <summary>The engine is at its memory limit and cannot evict anything. The command was not executed.</summary>
    OutOfMemory,

    /// <summary>
    /// No node accepted the command in time. Possible reasons: nodes are loading, failing over or unreachable, there were too many redirects, or there are too
    /// few replicas. The command was not executed.
    /// </summary>
    Unavailable,

    /// <summary>The connection was lost after the command was sent. The command may have been executed.</summary>
    Ambiguous,

    /// <summary>The limit of the connection, or of the queue for a node, is reached. The command was not executed.</summary>
    Overloaded,

    /// <summary>
    /// The engine rejects the user name or password, or denies permission. The command was not executed. The log message explains what to do.
    /// </summary>
    Refused,

    /// <summary>The deadline passed. If the command had already been sent, it may have been executed.</summary>
    TimedOut,

    /// <summary>Any other error from the engine or a script. The failure contains the text of this error.</summary>
    Other,
}
