namespace Larder.Redis;

/// <summary>What is known of one node.</summary>
public sealed record RedisNodeStatistics
{
    /// <summary>Host and port.</summary>
    public required string Name { get; init; }

    /// <summary>Whether it is a master.</summary>
    public bool IsMaster { get; init; }

    /// <summary>Slots in the map that are its own (a replica: its master's).</summary>
    public int Slots { get; init; }

    /// <summary>Whether a connection to it is open. Replicas are not connected to.</summary>
    public bool IsConnected { get; init; }

    /// <summary>Why not, in the system's or the engine's words; null where it is or was never tried.</summary>
    public string? WhyNot { get; init; }

    /// <summary>Commands sent to it and not answered.</summary>
    public int Outstanding { get; init; }

    /// <summary>Connections that were made again.</summary>
    public long Reconnects { get; init; }

    /// <summary>From a command's being queued to its answer's being read, smoothed over some hundred samples; zero where there is none yet.</summary>
    public TimeSpan Latency { get; init; }

    /// <summary>Bytes of replication that its replica furthest behind has not acknowledged; null where it has none, or is none, or may not be asked.</summary>
    public long? LagBytes { get; init; }
}
