namespace Larder.Redis;

/// <summary>The status of one node.</summary>
public sealed record RedisNodeStatistics
{
    /// <summary>Gets the host and port.</summary>
    public required string Name { get; init; }

    /// <summary>Gets whether the node is a master.</summary>
    public bool IsMaster { get; init; }

    /// <summary>Gets the number of slots of the node, or for a replica the number of its master's.</summary>
    public int Slots { get; init; }

    /// <summary>Gets whether a connection to the node is open. Replicas are never connected to.</summary>
    public bool IsConnected { get; init; }

    /// <summary>Gets why the node is not connected, as the system or the engine describes it; null if it is connected or was never tried.</summary>
    public string? WhyNot { get; init; }

    /// <summary>Gets the number of commands that were sent and have no reply yet.</summary>
    public int Outstanding { get; init; }

    /// <summary>Gets the number of reconnects.</summary>
    public long Reconnects { get; init; }

    /// <summary>Gets the smoothed latency, from queueing a command to reading its reply, over about a hundred samples. Zero if there is none yet.</summary>
    public TimeSpan Latency { get; init; }

    /// <summary>
    /// Gets the number of replication bytes that the slowest replica has not acknowledged. Null if there is no replica, the node is not a master, or
    /// the query is not permitted.
    /// </summary>
    public long? LagBytes { get; init; }
}
