using System.Text.Json.Serialization;

namespace Larder.Server.Console;

/// <summary>The response of <c>/stats</c>: the server's state as a JSON document.</summary>
internal sealed record StatsDocument
{
    public required string Version { get; init; }

    /// <summary>Whether calls are answered; false on a gateway without its cluster.</summary>
    public required bool IsReady { get; init; }

    public required double UptimeSeconds { get; init; }

    /// <summary>The processor time used by this process, in seconds.</summary>
    public required double CpuSeconds { get; init; }

    /// <summary>The resident memory of this process, in bytes.</summary>
    public required long ResidentBytes { get; init; }

    /// <summary>The bytes allocated on the managed heap since startup. May lag by a few KB per thread.</summary>
    public required long AllocatedBytes { get; init; }

    public required long Connections { get; init; }

    public required long ConnectionsAccepted { get; init; }

    /// <summary>The number of connections closed because all slots were taken: new ones, or unauthenticated ones that a new one replaced.</summary>
    public required long ConnectionsRefused { get; init; }

    /// <summary>The number of connections whose TLS handshake failed.</summary>
    public required long HandshakesFailed { get; init; }

    /// <summary>The number of calls in progress; each pipeline counts as one.</summary>
    public required long Streams { get; init; }

    public required long Pipelines { get; init; }

    /// <summary>The number of internal errors that were not logged because of the rate limit.</summary>
    public required long LogLinesDropped { get; init; }

    /// <summary>The number of token and certificate files reloaded.</summary>
    public required long Reloads { get; init; }

    /// <summary>The number of failed reloads.</summary>
    public required long ReloadsFailed { get; init; }

    /// <summary>The number of calls and requests since startup without a known token.</summary>
    public required long AuthenticationsFailed { get; init; }

    /// <summary>The number of calls since startup whose token lacked the role.</summary>
    public required long PermissionsDenied { get; init; }

    /// <summary>The number of calls and requests since startup that were rejected because their address had failed too often.</summary>
    public required long DoorRefusals { get; init; }

    public required GarbageStats Garbage { get; init; }

    public required BufferStats Buffers { get; init; }

    public required IReadOnlyList<RpcStats> Rpcs { get; init; }

    public required TopicsStats Topics { get; init; }

    public required NearStats Near { get; init; }

    public required StoreStats Store { get; init; }

    /// <summary>The cluster behind this gateway; null if the server stores the items itself.</summary>
    public FleetStats? Fleet { get; init; }

    /// <summary>The snapshots of this process; null if no snapshot file is configured.</summary>
    public SnapshotStats? Snapshot { get; init; }
}

/// <summary>
/// Garbage collection: number of collections per generation, total pause time in seconds, and heap size in bytes after the last collection.
/// </summary>
internal sealed record GarbageStats(IReadOnlyList<long> Collections, double PauseSeconds, long HeapBytes);

/// <summary>Memory of connections outside the store: the limit and the current usage in bytes, and the number of rejected requests for memory.</summary>
internal sealed record BufferStats(long LimitBytes, long UsedBytes, long Refusals);

/// <summary>One rpc over one transport. Only rpcs that were called are included.</summary>
internal sealed record RpcStats
{
    public required string Rpc { get; init; }

    /// <summary>The transport: <c>unary</c> or <c>pipeline</c>.</summary>
    public required string Transport { get; init; }

    public required long Count { get; init; }

    /// <summary>The bytes of received requests; <c>SentBytes</c> are those of written responses.</summary>
    public required long ReceivedBytes { get; init; }

    public required long SentBytes { get; init; }

    /// <summary>The number of failed calls by status.</summary>
    public required IReadOnlyDictionary<string, long> Failures { get; init; }

    public required double P50Us { get; init; }

    public required double P90Us { get; init; }

    public required double P99Us { get; init; }

    public required double P999Us { get; init; }

    /// <summary>
    /// The non-empty buckets as [upper bound in microseconds, count]. The difference of two readings is the histogram of the time between them.
    /// </summary>
    public required IReadOnlyList<double[]> Buckets { get; init; }
}

/// <summary>Statistics of the store.</summary>
internal sealed record StoreStats
{
    public required long MaxMemoryBytes { get; init; }

    public required long UsedMemoryBytes { get; init; }

    public required long FragmentationBytes { get; init; }

    /// <summary>The bytes that flushed and deleted caches still hold until they are reclaimed.</summary>
    public required long FlushedBytes { get; init; }

    /// <summary>How often the operating system failed to take memory back.</summary>
    public required long FailedReleases { get; init; }

    /// <summary>The estimated hit ratios for other memory sizes; null until something had to be evicted.</summary>
    public required ShadowStats? Shadow { get; init; }

    public required CacheStats Total { get; init; }

    public required IReadOnlyList<CacheStats> Caches { get; init; }
}

/// <summary>The estimated hit ratios of recent traffic, 0 to 1.</summary>
internal sealed record ShadowStats(double HalfMemory, double PresentMemory, double DoubleMemory);

/// <summary>Statistics of one cache, or of all together.</summary>
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

    /// <summary>The quota in bytes; 0 if there is none, and in the total.</summary>
    public long MaxBytes { get; init; }

    /// <summary>The part of the store's unused space that is attributed to this cache, in proportion to the bytes of its entries.</summary>
    public required long FragmentationBytes { get; init; }

    public required EvictionStats Evictions { get; init; }
}

/// <summary>The number of entries removed other than by a caller, by reason.</summary>
internal sealed record EvictionStats(long Memory, long Expired, long Flushed, long Quota);

/// <summary>The JSON serialization of <c>/stats</c>, without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(StatsDocument))]
[JsonSerializable(typeof(SnapshotStats))]
internal sealed partial class StatsJson : JsonSerializerContext;
