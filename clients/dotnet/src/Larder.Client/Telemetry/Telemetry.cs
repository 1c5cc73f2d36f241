using System.Diagnostics;
using System.Diagnostics.Metrics;
using Larder.Client.Calls;
using Larder.Client.Operations;

namespace Larder.Client;

/// <summary>The metrics and spans of one client, with the names in docs/names.md. If there is no listener, a call only tests a flag.</summary>
internal sealed class Telemetry : IDisposable
{
    /// <summary>The name of the meter and of the activity source.</summary>
    public const string Name = "Larder";

    private const string OperationTag = "cache.operation";
    private static readonly ActivitySource Spans = new(Name);

    // The bucket boundaries in seconds. A call to a server on the same machine takes about 100 µs, and a call that reaches its deadline takes 5 s.
    // OpenTelemetry's default boundaries start at 5, so nearly all calls would be in the first bucket.
    private static readonly InstrumentAdvice<double> Fine =
        new() { HistogramBucketBoundaries = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] };

    // The bucket boundaries of OpenTelemetry's conventions for databases.
    private static readonly InstrumentAdvice<double> OfDatabases = new() { HistogramBucketBoundaries = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] };

    private readonly Meter _meter = new(Name);
    private readonly CallAttributes _attributes;
    private readonly Histogram<double> _operation;
    private readonly Histogram<double> _database;
    private readonly Histogram<double> _queue;
    private readonly Histogram<double> _wire;
    private readonly Counter<long> _hits;
    private readonly Counter<long> _misses;
    private readonly Counter<long> _capChanges;
    private readonly Clock _clock;

    public Telemetry(InFlightLimiter limiter, Clock clock, Uri endpoint)
    {
        _clock = clock;
        _attributes = new CallAttributes(endpoint);
        _operation = _meter.CreateHistogram<double>(
            "cache.client.operation.duration", "s", "Duration of calls, from the start of the call to the response.", advice: Fine);
        _database = _meter.CreateHistogram<double>(
            "db.client.operation.duration", "s", "Duration of calls, from the start of the call to the response.", advice: OfDatabases);
        _queue = _meter.CreateHistogram<double>("cache.client.queue.duration", "s", "Time that calls wait for the concurrency limit.", advice: Fine);
        _wire = _meter.CreateHistogram<double>(
            "cache.client.wire.duration", "s", "Duration of calls, from leaving the client's queue to the response, including retries.", advice: Fine);
        _hits = _meter.CreateCounter<long>("cache.hits", "{item}", "Gets that found an item.");
        _misses = _meter.CreateCounter<long>("cache.misses", "{item}", "Gets that found no item.");
        _capChanges = _meter.CreateCounter<long>("cache.client.in_flight.limit.changes", "{change}", "Changes of the adaptive limit, by direction.");
        _meter.CreateObservableGauge("cache.client.in_flight", () => limiter.InFlight, "{request}", "Requests in flight.");
        _meter.CreateObservableGauge("cache.client.in_flight.limit", () => limiter.Limit, "{request}", "The concurrency limit.");
    }

    internal Meter Meter => _meter;

    /// <summary>
    /// Starts a call's span if there is a listener. The span does not become the current activity, because the caller's code does not run inside the call.
    /// </summary>
    /// <param name="operation">The operation's name.</param>
    /// <param name="cache">The cache's name, or empty if the call has none.</param>
    /// <param name="batchSize">The number of keys or items of a batch. It is recorded only if it is at least 2.</param>
    public Activity? StartSpan(string operation, string cache, int batchSize = 1) =>
        Spans.HasListeners() ? StartListenedSpan(operation, cache, batchSize) : null;

    private Activity? StartListenedSpan(string operation, string cache, int batchSize)
    {
        Activity? current = Activity.Current;
        Activity? span = null;
        string name = cache.Length == 0 ? operation : $"{operation} {cache}";
        TagList attributes = _attributes.AtStart(operation, cache, batchSize);
        // Attributes must be passed at the start because samplers use them.
        UserCode.Run(() => span = Spans.StartActivity(name, ActivityKind.Client, default(ActivityContext), attributes));
        Activity.Current = current;
        return span;
    }

    /// <summary>Records the end of a call. Must be called before the caller gets the response.</summary>
    public void Ended(Call call, object response)
    {
        if (_operation.Enabled || _database.Enabled || _queue.Enabled || _wire.Enabled || _hits.Enabled || _misses.Enabled)
        {
            Tell(call, response);
        }

        if (call.Activity is { } span)
        {
            EndSpan(span, call.Sends, CodeOf(response));
        }
    }

    /// <summary>Counts a change of the adaptive limit.</summary>
    public void CapChanged(bool grew) => UserCode.Run(() => _capChanges.Add(1, new KeyValuePair<string, object?>("direction", grew ? "up" : "down")));

    /// <summary>Publishes whether the latency target of the adaptive limit is out of reach, which means that no limit meets the target.</summary>
    public void WatchTarget(Func<bool> isOutOfReach) =>
        _meter.CreateObservableGauge(
            "cache.client.target.out_of_reach", () => isOutOfReach() ? 1 : 0, null, "1 if no limit meets the latency target, otherwise 0.");

    /// <summary>
    /// Publishes, for each gateway, the number of connections and whether the gateway is out of rotation. Publishes nothing if there is only one gateway.
    /// </summary>
    public void WatchGateways(Func<GatewayStatistics[]> gateways)
    {
        _meter.CreateObservableGauge(
            "cache.client.connections", () => EachOf(gateways(), static gateway => gateway.Connections), "{connection}", "Open connections to a gateway.");
        _meter.CreateObservableGauge(
            "cache.client.gateway.left_out",
            () => EachOf(gateways(), static gateway => gateway.IsLeftOut ? 1 : 0),
            null,
            "1 while a gateway is out of rotation, otherwise 0.");
    }

    /// <summary>Publishes the statistics of the near cache.</summary>
    public void WatchNear(Func<NearCacheStatistics> near)
    {
        _meter.CreateObservableCounter("cache.client.near.hits", () => near().Hits, "{item}", "Get calls served from the near cache.");
        _meter.CreateObservableCounter("cache.client.near.kept", () => near().Kept, "{item}", "Values stored in the near cache.");
        _meter.CreateObservableCounter("cache.client.near.invalidations", () => near().Invalidations, "{item}", "Values invalidated by the server.");
        _meter.CreateObservableCounter(
            "cache.client.near.clears", () => near().Clears, "{clear}", "Number of times the server invalidated all values of the near cache.");
        _meter.CreateObservableCounter(
            "cache.client.near.poisoned",
            () => near().Poisoned,
            "{item}",
            "Values not stored in the near cache, because they may have changed while the get was in flight.");
        _meter.CreateObservableCounter("cache.client.near.evictions", () => near().Evictions, "{item}", "Values evicted at the size limit.");
        _meter.CreateObservableGauge("cache.client.near.copies", () => near().Copies, "{item}", "Values in the near cache.");
        _meter.CreateObservableGauge("cache.client.near.bytes", () => near().Bytes, "By", "Memory that the values in the near cache use.");
    }

    /// <summary>Publishes the statistics of subscriptions. Called when the first subscription begins.</summary>
    public void WatchTopics(Func<TopicStatistics> topics)
    {
        _meter.CreateObservableGauge("cache.client.topic.subscriptions", () => topics().Subscriptions, "{subscription}", "Active subscriptions.");
        _meter.CreateObservableCounter("cache.client.topic.items", () => topics().Items, "{item}", "Items received by subscriptions.");
        _meter.CreateObservableCounter(
            "cache.client.topic.discontinuities", () => topics().Discontinuities, "{gap}", "Gaps (missed messages) reported by subscriptions.");
        _meter.CreateObservableCounter("cache.client.topic.reconnects", () => topics().Reconnects, "{reconnect}", "Resumed subscription streams.");
    }

    /// <summary>Ends a span that does not belong to a call.</summary>
    /// <param name="span">The span.</param>
    /// <param name="sends">The number of times the request was sent.</param>
    /// <param name="error">The error code, or null on success.</param>
    public static void EndSpan(Activity span, int sends, CacheErrorCode? error)
    {
        span.SetTag(CallAttributes.Attempts, sends);
        if (error is { } code)
        {
            string name = code.ToString();
            span.SetTag(CallAttributes.ErrorType, name);
            span.SetStatus(ActivityStatusCode.Error, name);
        }

        // Stopping a span makes its parent the current activity. This is undone, because the span never was the current activity.
        Activity? current = Activity.Current;
        UserCode.Run(span.Stop);
        Activity.Current = current;
    }

    public void Dispose() => _meter.Dispose();

    private static IEnumerable<Measurement<int>> EachOf(GatewayStatistics[] gateways, Func<GatewayStatistics, int> figure) => gateways.Length == 1
        ? []
        : gateways.Select(gateway => new Measurement<int>(figure(gateway), new KeyValuePair<string, object?>("gateway", gateway.Address)));

    // This is a separate method, so that the closure is allocated only if there is a listener.
    private void Tell(Call call, object response) => UserCode.Run(() =>
    {
        Measure(call, CodeOf(response));
        Count(call.Operation, response);
    });

    private static CacheErrorCode? CodeOf(object response) => (response as ICacheResult)?.Error?.Code;

    private void Measure(Call call, CacheErrorCode? error)
    {
        long now = _clock.Now;
        KeyValuePair<string, object?> tag = new(OperationTag, call.Operation.Name);
        long granted = call.GrantedAt == 0 ? now : call.GrantedAt;
        double seconds = _clock.Seconds(call.StartedAt, now);
        _operation.Record(seconds, tag);
        if (_database.Enabled)
        {
            _database.Record(seconds, _attributes.AtEnd(call.Operation.Name, call.Cache, call.Sends, error));
        }

        _queue.Record(_clock.Seconds(call.StartedAt, granted), tag);
        if (call.GrantedAt != 0)
        {
            _wire.Record(_clock.Seconds(granted, now), tag);
        }
    }

    private void Count(OperationInfo operation, object response)
    {
        switch (response)
        {
            case LookupResult<CacheValue> one when operation == OperationTable.Get:
                Count(one.Outcome);
                break;
            case LookupResult<HashedValue> one:
                Count(one.Outcome);
                break;
            case CacheResult<IReadOnlyList<LookupResult<CacheValue>>> { IsSuccess: true } batch:
                _hits.Add(batch.Value.Count(static each => each.IsHit));
                _misses.Add(batch.Value.Count(static each => each.IsMiss));
                break;
        }
    }

    private void Count(LookupOutcome outcome)
    {
        if (outcome != LookupOutcome.Error)
        {
            (outcome == LookupOutcome.Hit ? _hits : _misses).Add(1);
        }
    }
}
