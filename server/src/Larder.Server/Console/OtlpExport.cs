using System.Diagnostics.Metrics;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;

namespace Larder.Server.Console;

/// <summary>
/// Exports the server's metrics to an OpenTelemetry collector by OTLP over HTTP, every minute and once on shutdown. The interval, headers and resource are set
/// by OpenTelemetry's environment variables (<c>OTEL_METRIC_EXPORT_INTERVAL</c>, <c>OTEL_EXPORTER_OTLP_HEADERS</c>, <c>OTEL_RESOURCE_ATTRIBUTES</c>).
/// </summary>
internal sealed class OtlpExport : IDisposable
{
    private const string Name = "Larder.Server";

    // The maximum time by which an unresponsive collector can delay the shutdown.
    private const int PatienceMs = 1_000;

    // The maximum age of a reading. All instruments of one export use the same reading if it is not older than this.
    private static readonly TimeSpan s_oneReading = TimeSpan.FromMilliseconds(500);

    private readonly StatsReader _reader;
    private readonly TimeProvider _time;
    private readonly Meter _meter = new(Name, ServerVersion.Text);
    private readonly MeterProvider _provider;
    private StatsDocument? _stats;
    private long _readAt;

    /// <param name="collector">The URL of the collector, such as <c>http://localhost:4318</c>.</param>
    /// <param name="reader">Reads the statistics.</param>
    /// <param name="time">The clock.</param>
    public OtlpExport(Uri collector, StatsReader reader, TimeProvider time)
    {
        _reader = reader;
        _time = time;
        ObserveServer();
        ObserveCalls();
        ObserveCaches();
        ObserveTopics();
        ObserveNear();
        ObserveSnapshots();
        _provider = Sdk.CreateMeterProviderBuilder()
            .AddMeter(Name)
            .ConfigureResource(resource => resource.AddService("larder", serviceVersion: ServerVersion.Text))
            .AddOtlpExporter(otlp =>
            {
                otlp.Protocol = OtlpExportProtocol.HttpProtobuf;
                otlp.Endpoint = new Uri(collector, "v1/metrics");
                otlp.TimeoutMilliseconds = PatienceMs;
            })
            .Build();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _provider.ForceFlush(PatienceMs);
        _provider.Dispose();
        _meter.Dispose();
    }

    private void ObserveServer()
    {
        _meter.CreateObservableGauge("larder.ready", () => Now.IsReady ? 1 : 0, description: "1 if the server accepts calls, otherwise 0");
        _meter.CreateObservableGauge("larder.connections", () => Now.Connections, description: "Open connections");
        _meter.CreateObservableGauge("larder.streams", () => Now.Streams, description: "Calls in progress");
        _meter.CreateObservableGauge("larder.memory.resident", () => Now.ResidentBytes, "By", "Resident memory");
        _meter.CreateObservableGauge("larder.memory.used", () => Now.Store.UsedMemoryBytes, "By", "Memory used by the store");
        _meter.CreateObservableGauge("larder.memory.limit", () => Now.Store.MaxMemoryBytes, "By", "The store's memory limit");
        _meter.CreateObservableCounter(
            "larder.buffer.refusals",
            () => Now.Buffers.Refusals,
            description: "Calls, streams and buffers rejected because the memory limit of connections was reached");
    }

    private void ObserveCalls()
    {
        _meter.CreateObservableCounter(
            "larder.calls",
            () => Now.Rpcs.Select(rpc => new Measurement<long>(rpc.Count, Tags(rpc))),
            description: "Completed calls");
        _meter.CreateObservableCounter(
            "larder.failures",
            () => Now.Rpcs.SelectMany(rpc => rpc.Failures.Select(failure => new Measurement<long>(failure.Value, [.. Tags(rpc), new("status", failure.Key)]))),
            description: "Calls that failed with a status other than OK");
        _meter.CreateObservableCounter(
            "larder.received",
            () => Now.Rpcs.Select(rpc => new Measurement<long>(rpc.ReceivedBytes, Tags(rpc))),
            "By",
            "Bytes of requests");
        _meter.CreateObservableCounter(
            "larder.sent",
            () => Now.Rpcs.Select(rpc => new Measurement<long>(rpc.SentBytes, Tags(rpc))),
            "By",
            "Bytes of responses");
        _meter.CreateObservableGauge(
            "larder.latency",
            () => Now.Rpcs.SelectMany(Latencies),
            "s",
            "Quantiles of the time in the server, of all calls since the server started");
    }

    private void ObserveTopics()
    {
        _meter.CreateObservableGauge("larder.topics", () => Now.Topics.Topics, description: "Topics");
        _meter.CreateObservableGauge("larder.topic.subscribers", () => Now.Topics.Subscribers, description: "Open subscriptions");
        _meter.CreateObservableCounter("larder.topic.messages", () => Now.Topics.Messages, description: "Messages published");
        _meter.CreateObservableCounter("larder.topic.deliveries", () => Now.Topics.Deliveries, description: "Messages delivered to subscribers' connections");
        _meter.CreateObservableCounter(
            "larder.topic.discontinuities",
            () => Now.Topics.Gaps,
            description: "Notifications to subscribers that they have missed messages");
    }

    private void ObserveNear()
    {
        _meter.CreateObservableGauge("larder.near.streams", () => Now.Near.Streams, description: "Open near streams");
        _meter.CreateObservableCounter("larder.near.gets", () => Now.Near.Gets, description: "Get calls whose values near caches may store");
        _meter.CreateObservableCounter("larder.near.invalidations", () => Now.Near.Invalidations, description: "Invalidations of keys sent to near streams");
        _meter.CreateObservableCounter("larder.near.clears", () => Now.Near.Clears, description: "Messages that make a client clear its near cache");
    }

    private void ObserveSnapshots()
    {
        _meter.CreateObservableCounter("larder.snapshot.written", () => OfSnapshot(each => each.Written), description: "Snapshots written");
        _meter.CreateObservableCounter("larder.snapshot.failures", () => OfSnapshot(each => each.Failures), description: "Snapshots that could not be written");
        _meter.CreateObservableGauge("larder.snapshot.last.success", () => OfSnapshot(each => each.LastAtSeconds), "s", "Unix time of the last snapshot");
        _meter.CreateObservableGauge("larder.snapshot.last.duration", () => OfSnapshot(each => each.LastSeconds), "s", "Duration of writing the last snapshot");
        _meter.CreateObservableGauge("larder.snapshot.last.size", () => OfSnapshot(each => each.LastBytes), "By", "Size of the last snapshot");
        _meter.CreateObservableGauge(
            "larder.snapshot.loaded",
            () => OfSnapshot(each => each.LoadedEntries),
            description: "Entries loaded from the snapshot at the start");
    }

    // Returns no measurement if snapshots are disabled or no snapshot has been written yet.
    private IEnumerable<Measurement<double>> OfSnapshot(Func<SnapshotStats, double?> value) =>
        Now.Snapshot is { } snapshot && value(snapshot) is { } known ? [new Measurement<double>(known)] : [];

    private void ObserveCaches()
    {
        Observe("larder.cache.hits", "Get calls that found the key", cache => cache.Hits);
        Observe("larder.cache.misses", "Get calls that did not find the key", cache => cache.Misses);
        Observe("larder.cache.sets", "Values written", cache => cache.Sets);
        _meter.CreateObservableGauge("larder.cache.entries", () => OfCaches(cache => cache.Entries), description: "Stored entries");
        _meter.CreateObservableGauge("larder.cache.size", () => OfCaches(cache => cache.Bytes), "By", "Bytes of stored keys and values");
        _meter.CreateObservableGauge("larder.cache.quota", () => OfCaches(cache => cache.MaxBytes), "By", "Quota of the cache; 0 means none");
        _meter.CreateObservableCounter(
            "larder.cache.evictions",
            () => Now.Store.Caches.SelectMany(Evictions),
            description: "Entries evicted, expired or flushed, by reason");
    }

    private void Observe(string name, string description, Func<CacheStats, long> value) =>
        _meter.CreateObservableCounter(name, () => OfCaches(value), description: description);

    private IEnumerable<Measurement<long>> OfCaches(Func<CacheStats, long> value) =>
        Now.Store.Caches.Select(cache => new Measurement<long>(value(cache), new KeyValuePair<string, object?>("cache", cache.Name)));

    private static IEnumerable<Measurement<long>> Evictions(CacheStats cache) =>
    [
        new(cache.Evictions.Memory, new("cache", cache.Name), new("reason", "memory")),
        new(cache.Evictions.Expired, new("cache", cache.Name), new("reason", "expired")),
        new(cache.Evictions.Flushed, new("cache", cache.Name), new("reason", "flushed")),
        new(cache.Evictions.Quota, new("cache", cache.Name), new("reason", "quota")),
    ];

    private static IEnumerable<Measurement<double>> Latencies(RpcStats rpc) =>
    [
        new(rpc.P50Us / 1e6, [.. Tags(rpc), new("quantile", "0.5")]),
        new(rpc.P99Us / 1e6, [.. Tags(rpc), new("quantile", "0.99")]),
        new(rpc.P999Us / 1e6, [.. Tags(rpc), new("quantile", "0.999")]),
    ];

    private static KeyValuePair<string, object?>[] Tags(RpcStats rpc) => [new("rpc", rpc.Rpc), new("transport", rpc.Transport)];

    /// <summary>Gets the reading that all instruments of an export share. The instruments are called one after another on one thread.</summary>
    private StatsDocument Now
    {
        get
        {
            if (_stats is null || _time.GetElapsedTime(_readAt) > s_oneReading)
            {
                _stats = _reader.Read();
                _readAt = _time.GetTimestamp();
            }

            return _stats;
        }
    }
}
