namespace Larder.Redis;

/// <summary>The failures of commands that exceed a limit. Each object is created only once, because these failures can be frequent.</summary>
internal static class Overload
{
    /// <summary>The limit of the connection is reached.</summary>
    public static readonly RedisFailure NodeIsFull = Of("Too many calls are in flight at this node.");

    /// <summary>The limit of the queue for a node is reached.</summary>
    public static readonly RedisFailure QueueIsFull = Of("Too many calls are waiting for this node.");

    /// <summary>The server lacks memory for the encoded command.</summary>
    public static readonly RedisFailure NoMemory = Of("The server does not have enough memory to forward the call to a node.");

    private static RedisFailure Of(string message) => new(RedisFailureKind.Overloaded, NotExecuted: true, message);
}
