namespace Larder.Redis;

/// <summary>The failures for exceeded limits. Created once, because they occur in large numbers.</summary>
internal static class Overload
{
    /// <summary>The limit of a connection is reached.</summary>
    public static readonly RedisFailure NodeIsFull = Of("As many calls are outstanding at this node as may be.");

    /// <summary>The limit of the queue for a node is reached.</summary>
    public static readonly RedisFailure QueueIsFull = Of("As many calls wait for this node as may.");

    /// <summary>There is no memory for the encoded command.</summary>
    public static readonly RedisFailure NoMemory = Of("There is no memory to send it.");

    private static RedisFailure Of(string message) => new(RedisFailureKind.Overloaded, NotExecuted: true, message);
}
