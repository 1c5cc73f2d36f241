namespace Larder.Redis;

/// <summary>What a node's connection, and the queue of those that wait for the node, may hold (FLEET-6). Past it a command is refused.</summary>
public static class ConnectionLimits
{
    /// <summary>Commands.</summary>
    public const int MostCalls = 4_096;

    /// <summary>Their encoded bytes. One command alone may be larger.</summary>
    public const int MostBytes = 8 * 1024 * 1024;

    /// <summary>A larger command goes on the node's connection for large ones, where it holds up no small one.</summary>
    public const int SmallBytes = 64 * 1024;

    /// <summary>Whether one more has room.</summary>
    public static bool HasRoom(int calls, int bytes, int more) => calls == 0 || (calls < MostCalls && bytes <= MostBytes - more);
}
