using System.Text.Json.Serialization;

namespace Larder.Server.Console;

/// <summary>The response of <c>/stats</c>: the server's state as a JSON document.</summary>
internal sealed record StatsDocument
{
    public required string Version { get; init; }

    /// <summary>Gets whether the server serves calls. False on a gateway whose cluster is unreachable.</summary>
    public required bool IsReady { get; init; }

    public required double UptimeSeconds { get; init; }

    /// <summary>Gets the processor time used by this process, in seconds.</summary>
    public required double CpuSeconds { get; init; }

    /// <summary>Gets the resident memory of this process, in bytes.</summary>
    public required long ResidentBytes { get; init; }

    /// <summary>Gets the number of bytes allocated on the managed heap since startup. The value may be a few KB too low per thread.</summary>
    public required long AllocatedBytes { get; init; }

    public required long Connections { get; init; }

    public required long ConnectionsAccepted { get; init; }

    /// <summary>
    /// Gets the number of connections closed because the connection limit was reached. The server closes either the new connection, or an unauthenticated
    /// connection to make room for the new one.
    /// </summary>
    public required long ConnectionsRefused { get; init; }

    /// <summary>Gets the number of connections whose TLS handshake failed.</summary>
    public required long HandshakesFailed { get; init; }

    /// <summary>Gets the number of calls in progress. Each pipeline counts as one call.</summary>
    public required long Streams { get; init; }

    public required long Pipelines { get; init; }

    /// <summary>Gets the number of internal errors that were not logged because of the rate limit.</summary>
    public required long LogLinesDropped { get; init; }

    /// <summary>Gets the number of times that a token or certificate file was reloaded.</summary>
    public required long Reloads { get; init; }

    /// <summary>Gets the number of failed reloads.</summary>
    public required long ReloadsFailed { get; init; }

    /// <summary>Gets the number of calls and requests since startup whose token was missing or unknown.</summary>
    public required long AuthenticationsFailed { get; init; }

    /// <summary>Gets the number of calls since startup whose token did not have the required role.</summary>
    public required long PermissionsDenied { get; init; }

    /// <summary>
    /// Gets the number of calls and requests since startup that were rejected because too many earlier attempts from their address had failed.
    /// </summary>
    public required long DoorRefusals { get; init; }

    public required GarbageStats Garbage { get; init; }

    public required BufferStats Buffers { get; init; }

    public required IReadOnlyList<RpcStats> Rpcs { get; init; }

    public required TopicsStats Topics { get; init; }

    public required NearStats Near { get; init; }

    public required StoreStats Store { get; init; }

    /// <summary>Gets the cluster behind this gateway; null if the server stores the items itself.</summary>
    public FleetStats? Fleet { get; init; }

    /// <summary>Gets statistics about the snapshots of this process; null if no snapshot file is configured.</summary>
    public SnapshotStats? Snapshot { get; init; }
}

/// <summary>
/// Statistics about garbage collection: the number of collections per generation, the total pause time in seconds, and the heap size in bytes after the last
/// collection.
/// </summary>
internal sealed record GarbageStats(IReadOnlyList<long> Collections, double PauseSeconds, long HeapBytes);

/// <summary>
/// Statistics about the memory that connections use. It is separate from the store's memory. The values are the limit and the current usage in bytes, and the
/// number of reservations that were rejected because the limit was reached.
/// </summary>
internal sealed record BufferStats(long LimitBytes, long UsedBytes, long Refusals);

/// <summary>Statistics about one rpc over one transport. Only rpcs that were called are included.</summary>
internal sealed record RpcStats
{
    public required string Rpc { get; init; }

    /// <summary>Gets the transport: <c>unary</c> or <c>pipeline</c>.</summary>
    public required string Transport { get; init; }

    public required long Count { get; init; }

    /// <summary>Gets the number of bytes of the received requests. <c>SentBytes</c> is the number of bytes of the written responses.</summary>
    public required long ReceivedBytes { get; init; }

    public required long SentBytes { get; init; }

    /// <summary>Gets the number of failed calls for each status.</summary>
    public required IReadOnlyDictionary<string, long> Failures { get; init; }

    public required double P50Us { get; init; }

    public required double P90Us { get; init; }

    public required double P99Us { get; init; }

    public required double P999Us { get; init; }

    /// <summary>
    /// Gets the non-empty buckets of the latency histogram, each as [upper bound in microseconds, count]. Subtracting the buckets of an earlier reading gives
    /// the histogram of the time between the two readings.
    /// </summary>
    public required IReadOnlyList<double[]> Buckets { get; init; }
}

/// <summary>Statistics of the store.</summary>
internal sealed record StoreStats
{
    public required long MaxMemoryBytes { get; init; }

    public required long UsedMemoryBytes { get; init; }

    public required long FragmentationBytes { get; init; }

    /// <summary>Gets the size, in bytes, of the memory of flushed and deleted caches that has not been reclaimed yet.</summary>
    public required long FlushedBytes { get; init; }

    /// <summary>Gets the number of times that returning memory to the operating system failed.</summary>
    public required long FailedReleases { get; init; }

    /// <summary>Gets the estimated hit ratios for other memory sizes; null until the first item is evicted.</summary>
    public required ShadowStats? Shadow { get; init; }

    public required CacheStats Total { get; init; }

    public required IReadOnlyList<CacheStats> Caches { get; init; }
}

/// <summary>The estimated hit ratios of recent traffic, from 0 to 1.</summary>
internal sealed record ShadowStats(double HalfMemory, double PresentMemory, double DoubleMemory);

/// <summary>Statistics of one cache, or the total of all caches.</summary>
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

    /// <summary>Gets the quota in bytes; 0 if the cache has no quota. Always 0 in the total.</summary>
    public long MaxBytes { get; init; }

    /// <summary>Gets the part of the store's unused space that is attributed to this cache, in proportion to the bytes of its entries.</summary>
    public required long FragmentationBytes { get; init; }

    public required EvictionStats Evictions { get; init; }
}

/// <summary>The numbers of entries that the store removed itself, for each reason. Entries that a call removed are not included.</summary>
internal sealed record EvictionStats(long Memory, long Expired, long Flushed, long Quota);

/// <summary>The JSON serialization of <c>/stats</c>, without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(StatsDocument))]
[JsonSerializable(typeof(SnapshotStats))]
internal sealed partial class StatsJson : JsonSerializerContext;
