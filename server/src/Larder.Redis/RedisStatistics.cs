namespace Larder.Redis;

/// <summary>What a store has done since it was started, and what it knows of the engine.</summary>
public sealed record RedisStatistics
{
    /// <summary>Whether the engine is a cluster; null while it is not known.</summary>
    public bool? IsCluster { get; init; }

    /// <summary>Slots, of 16,384, that have a master in the map.</summary>
    public int CoveredSlots { get; init; }

    /// <summary>The nodes that are known, masters first, each group by address.</summary>
    public IReadOnlyList<RedisNodeStatistics> Nodes { get; init; } = [];

    /// <summary>Commands answered, errors of the engine among them.</summary>
    public long Answered { get; init; }

    /// <summary>Commands sent and not answered yet.</summary>
    public int Outstanding { get; init; }

    /// <summary>Commands that wait to be sent again.</summary>
    public int Waiting { get; init; }

    /// <summary>MOVED answers followed.</summary>
    public long Moved { get; init; }

    /// <summary>ASK answers followed.</summary>
    public long Asked { get; init; }

    /// <summary>Commands sent again for another reason.</summary>
    public long Retried { get; init; }

    /// <summary>Answers that came after their command's deadline, and were dropped.</summary>
    public long Late { get; init; }

    /// <summary>Times that the slot map was read.</summary>
    public long Refreshed { get; init; }

    /// <summary>Failures by <see cref="RedisFailureKind"/>, those without any left out.</summary>
    public IReadOnlyDictionary<RedisFailureKind, long> Failures { get; init; } = new Dictionary<RedisFailureKind, long>();
}
