namespace Larder.Redis;

/// <summary>The failures for exceeded limits. Created once, because they occur in large numbers.</summary>
internal static class Overload
{
    /// <summary>The limit of a connection is reached.</summary>
    public static readonly RedisFailure NodeIsFull = Of("Too many calls are in flight at this node.");

    /// <summary>The limit of the queue for a node is reached.</summary>
    public static readonly RedisFailure QueueIsFull = Of("Too many calls wait for this node.");

    /// <summary>There is no memory for the encoded command.</summary>
    public static readonly RedisFailure NoMemory = Of("The server does not have enough memory to send the call.");

    private static RedisFailure Of(string message) => new(RedisFailureKind.Overloaded, NotExecuted: true, message);
}
