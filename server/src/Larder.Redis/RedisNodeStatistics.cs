namespace Larder.Redis;

/// <summary>The status of one node.</summary>
public sealed record RedisNodeStatistics
{
    /// <summary>Gets the host and port.</summary>
    public required string Name { get; init; }

    /// <summary>Gets whether the node is a master.</summary>
    public bool IsMaster { get; init; }

    /// <summary>Gets the number of slots of the node, or of its master if the node is a replica.</summary>
    public int Slots { get; init; }

    /// <summary>Gets whether a connection to the node is open. The store never connects to replicas.</summary>
    public bool IsConnected { get; init; }

    /// <summary>
    /// Gets the reason why the node is not connected, as the system or the engine describes it. The value is null if the node is connected or no connection was
    /// attempted.
    /// </summary>
    public string? WhyNot { get; init; }

    /// <summary>Gets the number of commands that were sent and have no reply yet.</summary>
    public int Outstanding { get; init; }

    /// <summary>Gets the number of reconnects.</summary>
    public long Reconnects { get; init; }

    /// <summary>
    /// Gets the smoothed latency from the time a command is queued to the time its reply is read. The value averages about a hundred samples. Zero if no
    /// command was measured yet.
    /// </summary>
    public TimeSpan Latency { get; init; }

    /// <summary>
    /// Gets the number of replication bytes that the slowest replica has not acknowledged. The value is null if there is no replica, the node is not a master,
    /// or the query is not permitted.
    /// </summary>
    public long? LagBytes { get; init; }
}
