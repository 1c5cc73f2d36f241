namespace Larder.Redis;

/// <summary>The limits of a node's connection, and of the queue of commands that wait for a node (FLEET-6). Commands that exceed a limit fail.</summary>
public static class ConnectionLimits
{
    /// <summary>The maximum number of commands.</summary>
    public const int MaxCalls = 4_096;

    /// <summary>The maximum size of the encoded commands, in bytes. A single command may be larger.</summary>
    public const int MaxBytes = 8 * 1024 * 1024;

    /// <summary>The size in bytes above which a command uses the node's connection for large commands, so that it does not delay small commands.</summary>
    public const int SmallBytes = 64 * 1024;

    /// <summary>Returns whether another command can be added without exceeding the limits. If there are no commands yet, the result is always true.</summary>
    public static bool HasRoom(int calls, int bytes, int more) => calls == 0 || (calls < MaxCalls && bytes <= MaxBytes - more);
}
