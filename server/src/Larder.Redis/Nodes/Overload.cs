namespace Larder.Redis;

/// <summary>The failures of a bound. Made once: they come in crowds.</summary>
internal static class Overload
{
    /// <summary>A connection holds as much as it may.</summary>
    public static readonly RedisFailure NodeIsFull = Of("As many calls are outstanding at this node as may be.");

    /// <summary>The queue of those that wait for a node holds as much as it may.</summary>
    public static readonly RedisFailure QueueIsFull = Of("As many calls wait for this node as may.");

    /// <summary>There is no memory for a copy.</summary>
    public static readonly RedisFailure NoMemory = Of("There is no memory to send it.");

    private static RedisFailure Of(string message) => new(RedisFailureKind.Overloaded, NotExecuted: true, message);
}
