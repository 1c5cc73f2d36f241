using Larder.Redis;

namespace Larder.Server.Console;

/// <summary>The state of the cluster as seen by this gateway.</summary>
internal sealed record FleetStats
{
    public required bool IsReady { get; init; }

    /// <summary>Gets the reason why the gateway is not ready; null if it is ready.</summary>
    public required string? WhyNotReady { get; init; }

    /// <summary>Gets whether Redis runs in cluster mode; null if the mode is not known yet.</summary>
    public required bool? IsCluster { get; init; }

    /// <summary>Gets the number of slots that have a master. In a complete cluster, all 16,384 slots have one.</summary>
    public required int CoveredSlots { get; init; }

    public required long Answered { get; init; }

    public required int Outstanding { get; init; }

    /// <summary>Gets the number of commands waiting to be retried.</summary>
    public required int Waiting { get; init; }

    public required long Moved { get; init; }

    public required long Asked { get; init; }

    public required long Retried { get; init; }

    /// <summary>Gets the number of replies that arrived after the deadline of their call.</summary>
    public required long Late { get; init; }

    /// <summary>Gets the number of times the slot map was refreshed.</summary>
    public required long Refreshed { get; init; }

    /// <summary>Gets the number of failures of each kind. Kinds that did not occur are omitted.</summary>
    public required IReadOnlyDictionary<string, long> Failures { get; init; }

    /// <summary>Gets the nodes, masters first.</summary>
    public required IReadOnlyList<FleetNodeStats> Nodes { get; init; }

    public static FleetStats Of(RedisStore store)
    {
        RedisStatistics statistics = store.Statistics();
        string? whyNot = store.WhyNotReady;
        return new FleetStats
        {
            IsReady = whyNot is null,
            WhyNotReady = whyNot,
            IsCluster = statistics.IsCluster,
            CoveredSlots = statistics.CoveredSlots,
            Answered = statistics.Answered,
            Outstanding = statistics.Outstanding,
            Waiting = statistics.Waiting,
            Moved = statistics.Moved,
            Asked = statistics.Asked,
            Retried = statistics.Retried,
            Late = statistics.Late,
            Refreshed = statistics.Refreshed,
            Failures = statistics.Failures.ToDictionary(pair => pair.Key.ToString(), pair => pair.Value),
            Nodes = [.. statistics.Nodes.Select(FleetNodeStats.Of)],
        };
    }
}

/// <summary>One node of the cluster.</summary>
internal sealed record FleetNodeStats
{
    /// <summary>Gets the host and port of the node.</summary>
    public required string Name { get; init; }

    /// <summary>Gets the role of the node: <c>master</c> or <c>replica</c>.</summary>
    public required string Role { get; init; }

    public required int Slots { get; init; }

    public required bool IsConnected { get; init; }

    public required string? WhyNot { get; init; }

    public required int Outstanding { get; init; }

    public required long Reconnects { get; init; }

    /// <summary>Gets the smoothed time from queuing a command to reading its reply, in microseconds.</summary>
    public required double LatencyUs { get; init; }

    /// <summary>Gets the replication lag, in bytes, of this node's slowest replica; null if unknown.</summary>
    public required long? LagBytes { get; init; }

    public static FleetNodeStats Of(RedisNodeStatistics node) => new()
    {
        Name = node.Name,
        Role = node.IsMaster ? "master" : "replica",
        Slots = node.Slots,
        IsConnected = node.IsConnected,
        WhyNot = node.WhyNot,
        Outstanding = node.Outstanding,
        Reconnects = node.Reconnects,
        LatencyUs = node.Latency.TotalMicroseconds,
        LagBytes = node.LagBytes,
    };
}
