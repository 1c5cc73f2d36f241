using Larder.Redis;
using Larder.Server.Console.Api;
using Larder.Server.Metrics;
using Larder.Server.Near;
using Larder.Server.Snapshots;
using Larder.Server.Topics;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Console;

/// <summary>Reads the counters of the server and the store into one document.</summary>
internal sealed class StatsReader(
    ServerMetrics metrics,
    CacheStore store,
    BufferBudget buffers,
    TopicHost topics,
    NearHub near,
    TimeProvider time,
    Func<string?> whyNotReady,
    RedisStore? fleet = null,
    SnapshotKeeper? snapshots = null)
{
    private readonly long _start = time.GetTimestamp();

    public StatsDocument Read()
    {
        StoreStatistics statistics = store.GetStatistics();
        return new StatsDocument
        {
            Version = ServerVersion.Text,
            IsReady = WhyNotReady is null,
            UptimeSeconds = time.GetElapsedTime(_start).TotalSeconds,
            CpuSeconds = Environment.CpuUsage.TotalTime.TotalSeconds,
            ResidentBytes = Environment.WorkingSet,
            AllocatedBytes = GC.GetTotalAllocatedBytes(precise: false),
            Connections = metrics.Connections,
            ConnectionsAccepted = metrics.ConnectionsAccepted,
            ConnectionsRefused = metrics.ConnectionsRefused,
            HandshakesFailed = metrics.HandshakesFailed,
            Streams = metrics.Streams,
            Pipelines = metrics.Pipelines,
            LogLinesDropped = metrics.LogLinesDropped,
            Reloads = metrics.Reloads,
            ReloadsFailed = metrics.ReloadsFailed,
            AuthenticationsFailed = metrics.AuthenticationsFailed,
            PermissionsDenied = metrics.PermissionsDenied,
            DoorRefusals = metrics.DoorRefusals,
            Garbage = new GarbageStats(
                [.. Enumerable.Range(0, GC.MaxGeneration + 1).Select(generation => (long)GC.CollectionCount(generation))],
                GC.GetTotalPauseDuration().TotalSeconds,
                GC.GetGCMemoryInfo().HeapSizeBytes),
            Buffers = new BufferStats(buffers.LimitBytes, buffers.UsedBytes, buffers.Refusals),
            Rpcs = [.. metrics.Meters.Select(ReadRpc).Where(rpc => rpc.Count != 0)],
            Topics = TopicsStats.Of(topics),
            Near = NearStats.Of(near),
            Store = ReadStore(statistics),
            Fleet = fleet is null ? null : FleetStats.Of(fleet),
            Snapshot = snapshots is null ? null : SnapshotStats.Of(snapshots.Figures),
        };
    }

    /// <summary>Reads the document for the console's page. It does not contain the individual caches, but contains additional data for the page.</summary>
    /// <param name="showsKeys">Whether the caller has the right to see keys.</param>
    public OverviewAnswer ReadOverview(bool showsKeys)
    {
        StatsDocument document = Read();
        return new OverviewAnswer
        {
            Stats = document with { Store = document.Store with { Caches = [] } },
            WhyNotReady = WhyNotReady,
            Clients = [.. metrics.Clients.Read().Select(one => new ClientAnswer(one.Client.Client, one.Client.Language, one.Connections))],
            SampleGap = metrics.Sampler.Gap,
            Hottest = showsKeys
                ? [.. metrics.Sampler.Hottest().Select(key => new HotKeyAnswer(key.Cache, key.Key, key.KeyBytes, key.Share, key.CallsPerSecond))]
                : null,
            Slowest = showsKeys
                ? [.. metrics.Sampler.Slowest().Select(key => new SlowKeyAnswer(key.Cache, key.Key, key.KeyBytes, key.Call, key.TookUs))]
                : null,
        };
    }

    /// <summary>Returns the topics for the console's page.</summary>
    public TopicsAnswer ReadTopics() => TopicsAnswer.Of(topics);

    /// <summary>Returns the sampled calls after the call with the given number.</summary>
    public MonitorAnswer ReadCalls(long after)
    {
        IReadOnlyList<SampledCall> calls = metrics.Sampler.After(after, out long newest);
        return new MonitorAnswer(metrics.Sampler.Gap, newest, calls);
    }

    /// <summary>Gets the reason why the server cannot serve calls now; null if it can.</summary>
    public string? WhyNotReady => whyNotReady();

    private static RpcStats ReadRpc(RpcMeter meter)
    {
        LatencySnapshot latency = meter.Latency.Snapshot();
        return new RpcStats
        {
            Rpc = meter.Rpc,
            Transport = meter.Transport,
            Count = latency.Total,
            ReceivedBytes = meter.Received.Value,
            SentBytes = meter.Sent.Value,
            Failures = meter.Failures().ToDictionary(pair => pair.Key.ToString(), pair => pair.Value),
            P50Us = latency.QuantileUs(0.5),
            P90Us = latency.QuantileUs(0.9),
            P99Us = latency.QuantileUs(0.99),
            P999Us = latency.QuantileUs(0.999),
            Buckets = [.. latency.NonEmptyBuckets().Select(bucket => new[] { bucket.UpperUs, bucket.Count })],
        };
    }

    private static StoreStats ReadStore(StoreStatistics statistics) => new()
    {
        MaxMemoryBytes = statistics.MaxMemoryBytes,
        UsedMemoryBytes = statistics.UsedMemoryBytes,
        FragmentationBytes = statistics.FragmentationBytes,
        FlushedBytes = statistics.FlushedBytes,
        FailedReleases = statistics.FailedReleases,
        Shadow = statistics.Shadow is { } shadow ? new ShadowStats(shadow.HalfMemory, shadow.PresentMemory, shadow.DoubleMemory) : null,
        Total = new CacheStats
        {
            Name = "",
            Hits = statistics.Hits,
            Misses = statistics.Misses,
            HitRatio = statistics.HitRatio,
            Sets = statistics.Sets,
            Entries = statistics.Entries,
            Bytes = statistics.Bytes,
            OverheadBytes = statistics.OverheadBytes,
            FragmentationBytes = statistics.FragmentationBytes,
            Evictions = ReadEvictions(statistics.Evictions),
        },
        Caches = [.. statistics.Caches.Select(ReadCache)],
    };

    public static CacheStats ReadCache(CacheStatistics cache) => new()
    {
        Name = cache.Name,
        Hits = cache.Hits,
        Misses = cache.Misses,
        HitRatio = cache.HitRatio,
        Sets = cache.Sets,
        Entries = cache.Entries,
        Bytes = cache.Bytes,
        OverheadBytes = cache.OverheadBytes,
        MaxBytes = cache.MaxBytes,
        FragmentationBytes = cache.FragmentationBytes,
        Evictions = ReadEvictions(cache.Evictions),
    };

    private static EvictionStats ReadEvictions(EvictionStatistics evictions) =>
        new(evictions.Memory, evictions.Expired, evictions.Flushed, evictions.Quota);
}
