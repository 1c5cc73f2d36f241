using System.Text.Json.Serialization;

namespace Larder.Server.Console;

/// <summary>What <c>/stats</c> answers: the server's state in one JSON document.</summary>
internal sealed record StatsDocument
{
    public required string Version { get; init; }

    /// <summary>Whether calls are answered: a front without its cluster cannot.</summary>
    public required bool IsReady { get; init; }

    public required double UptimeSeconds { get; init; }

    /// <summary>The processor time that this process has used, in seconds.</summary>
    public required double CpuSeconds { get; init; }

    /// <summary>The memory of this process that is in RAM, in bytes.</summary>
    public required long ResidentBytes { get; init; }

    /// <summary>What this process has allocated on its managed heap since it began, in bytes; behind by at most some KB for each thread.</summary>
    public required long AllocatedBytes { get; init; }

    public required long Connections { get; init; }

    public required long ConnectionsAccepted { get; init; }

    /// <summary>Connections closed because all slots were taken: new ones, or unauthenticated ones that a new one replaced.</summary>
    public required long ConnectionsRefused { get; init; }

    /// <summary>Connections whose TLS handshake failed.</summary>
    public required long HandshakesFailed { get; init; }

    /// <summary>Calls under way, each pipeline counted as one.</summary>
    public required long Streams { get; init; }

    public required long Pipelines { get; init; }

    /// <summary>Faults of the server's own that were not logged, since too many were.</summary>
    public required long LogLinesDropped { get; init; }

    /// <summary>Files of tokens and certificates that were read again.</summary>
    public required long Reloads { get; init; }

    /// <summary>Those that could not be read again.</summary>
    public required long ReloadsFailed { get; init; }

    /// <summary>Calls and requests that showed no known token, since the start.</summary>
    public required long AuthenticationsFailed { get; init; }

    /// <summary>Calls of a known token that has not their role, since the start.</summary>
    public required long PermissionsDenied { get; init; }

    /// <summary>Calls and requests that were refused unread, since their address had failed too often, since the start.</summary>
    public required long DoorRefusals { get; init; }

    public required GarbageStats Garbage { get; init; }

    public required BufferStats Buffers { get; init; }

    public required IReadOnlyList<RpcStats> Rpcs { get; init; }

    public required TopicsStats Topics { get; init; }

    public required NearStats Near { get; init; }

    public required StoreStats Store { get; init; }

    /// <summary>The cluster that this server stands in front of; null where its items are its own.</summary>
    public FleetStats? Fleet { get; init; }

    /// <summary>The snapshots of this process; null where it has no file for them.</summary>
    public SnapshotStats? Snapshot { get; init; }
}

/// <summary>The managed heap's collections: how many of each generation, what they paused for in seconds, and the heap's bytes after the last.</summary>
internal sealed record GarbageStats(IReadOnlyList<long> Collections, double PauseSeconds, long HeapBytes);

/// <summary>What connections hold beside the store, in bytes: the bound, the present, and how often somebody was refused at the bound.</summary>
internal sealed record BufferStats(long LimitBytes, long UsedBytes, long Refusals);

/// <summary>One rpc over one transport; only those that were called.</summary>
internal sealed record RpcStats
{
    public required string Rpc { get; init; }

    /// <summary><c>unary</c> or <c>pipeline</c>.</summary>
    public required string Transport { get; init; }

    public required long Count { get; init; }

    /// <summary>Bytes of requests that arrived, and of answers that were written.</summary>
    public required long ReceivedBytes { get; init; }

    public required long SentBytes { get; init; }

    /// <summary>The answers that were no success, by status.</summary>
    public required IReadOnlyDictionary<string, long> Failures { get; init; }

    public required double P50Us { get; init; }

    public required double P90Us { get; init; }

    public required double P99Us { get; init; }

    public required double P999Us { get; init; }

    /// <summary>Every bucket that holds something, as [upper bound in microseconds, count]: two readings subtract to a window.</summary>
    public required IReadOnlyList<double[]> Buckets { get; init; }
}

/// <summary>The store's figures.</summary>
internal sealed record StoreStats
{
    public required long MaxMemoryBytes { get; init; }

    public required long UsedMemoryBytes { get; init; }

    public required long FragmentationBytes { get; init; }

    /// <summary>What flushed and deleted caches still hold until it is reclaimed, in bytes.</summary>
    public required long FlushedBytes { get; init; }

    /// <summary>How often the operating system did not take memory back.</summary>
    public required long FailedReleases { get; init; }

    /// <summary>Estimated hit ratios with other amounts of memory; null while nothing has had to be evicted.</summary>
    public required ShadowStats? Shadow { get; init; }

    public required CacheStats Total { get; init; }

    public required IReadOnlyList<CacheStats> Caches { get; init; }
}

/// <summary>Estimated hit ratios of recent traffic, 0 to 1.</summary>
internal sealed record ShadowStats(double HalfMemory, double PresentMemory, double DoubleMemory);

/// <summary>One cache's figures, or their sum.</summary>
internal sealed record CacheStats
{
    public required string Name { get; init; }

    public required long Hits { get; init; }

    public required long Misses { get; init; }

    public required double HitRatio { get; init; }

    public required long Sets { get; init; }

    public required long Entries { get; init; }

    public required long Bytes { get; init; }

    public required long OverheadBytes { get; init; }

    /// <summary>The cache's quota; 0: none, and of the sum.</summary>
    public long MaxBytes { get; init; }

    /// <summary>Of the store's unused space, the share that goes with the bytes of this cache's entries.</summary>
    public required long FragmentationBytes { get; init; }

    public required EvictionStats Evictions { get; init; }
}

/// <summary>Entries removed other than by a caller, by reason.</summary>
internal sealed record EvictionStats(long Memory, long Expired, long Flushed, long Quota);

/// <summary>The shape of <c>/stats</c>, without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(StatsDocument))]
[JsonSerializable(typeof(SnapshotStats))]
internal sealed partial class StatsJson : JsonSerializerContext;
