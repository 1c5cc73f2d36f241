namespace Larder.Redis;

/// <summary>The counters of a store since it was started, and the status of the engine.</summary>
public sealed record RedisStatistics
{
    /// <summary>Gets whether the engine is a cluster; null if not yet known.</summary>
    public bool? IsCluster { get; init; }

    /// <summary>Gets the number of slots, out of 16,384, that have a known master.</summary>
    public int CoveredSlots { get; init; }

    /// <summary>Gets the known nodes. The masters precede the other nodes. Each group is ordered by address.</summary>
    public IReadOnlyList<RedisNodeStatistics> Nodes { get; init; } = [];

    /// <summary>Gets the number of replies, including errors from the engine.</summary>
    public long Answered { get; init; }

    /// <summary>Gets the number of commands that were sent and have no reply yet.</summary>
    public int Outstanding { get; init; }

    /// <summary>Gets the number of commands that wait for a retry.</summary>
    public int Waiting { get; init; }

    /// <summary>Gets the number of MOVED redirects followed.</summary>
    public long Moved { get; init; }

    /// <summary>Gets the number of ASK redirects followed.</summary>
    public long Asked { get; init; }

    /// <summary>Gets the number of retries for other reasons.</summary>
    public long Retried { get; init; }

    /// <summary>Gets the number of replies that arrived after the command's deadline and were therefore discarded.</summary>
    public long Late { get; init; }

    /// <summary>Gets the number of times that the slot map was read.</summary>
    public long Refreshed { get; init; }

    /// <summary>Gets the number of failures of each <see cref="RedisFailureKind"/> that has occurred.</summary>
    public IReadOnlyDictionary<RedisFailureKind, long> Failures { get; init; } = new Dictionary<RedisFailureKind, long>();
}
