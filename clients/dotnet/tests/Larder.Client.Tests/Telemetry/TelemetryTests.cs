using System.Diagnostics;
using System.Diagnostics.Metrics;
using Larder.Client.Tests.Support;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using StatusCode = Larder.Wire.StatusCode;

namespace Larder.Client.Tests;

/// <summary>Tests spans and histograms, which must have the names in docs/names.md.</summary>
public sealed class TelemetryTests
{
    private const string Server = "db.system.name=larder server.address=127.0.0.1 server.port=8080";
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    [Fact]
    public async Task Call_span_is_named_by_its_operation_and_cache()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        using SpanRecorder spans = new();
        ValueTask<LookupResult<CacheValue>> get = test.Client.Cache("orders").GetAsync("secret key");
        Assert.Same(spans.Parent, Activity.Current);
        test.Transport.Answer(TestClient.Found("secret value"));
        Expect.Hit(await get);
        Activity span = Assert.Single(spans.Ended);
        Assert.Equal(("get orders", ActivityKind.Client, spans.Parent.SpanId), (span.DisplayName, span.Kind, span.ParentSpanId));
        Assert.Equal(ActivityStatusCode.Unset, span.Status);
        Assert.Equal(
            "cache.attempts=1 db.namespace=orders db.operation.name=get " + Server,
            SpanRecorder.Words(span.TagObjects));
        Assert.Equal("db.namespace=orders db.operation.name=get " + Server, spans.Sampled);
        Assert.DoesNotContain("secret", SpanRecorder.Words(span.TagObjects), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Span_of_a_call_without_cache_is_named_by_operation()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        using SpanRecorder spans = new();
        ValueTask<CacheResult> ping = test.Client.PingAsync();
        test.Transport.Answer([]);
        await ping;
        Activity span = Assert.Single(spans.Ended);
        Assert.Equal("ping", span.DisplayName);
        Assert.Equal("cache.attempts=1 db.operation.name=ping " + Server, SpanRecorder.Words(span.TagObjects));
    }

    [Theory]
    [InlineData(0, null)]
    [InlineData(1, null)]
    [InlineData(2, 2)]
    [InlineData(1_000, 1_000)]
    public async Task Span_of_a_batch_with_several_items_contains_its_size(int count, int? said)
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        CacheBytes[] keys = [.. Enumerable.Range(0, count).Select(static i => (CacheBytes)$"{i}")];
        SetBatchItem[] items = [.. keys.Select(static key => new SetBatchItem(key, "v"))];
        using SpanRecorder spans = new();
        Task[] calls =
        [
            test.Cache.GetBatchAsync(keys).AsTask(),
            test.Cache.SetBatchAsync(items).AsTask(),
            test.Cache.KeysExistAsync(keys).AsTask(),
        ];
        for (int call = 0; call < calls.Length; call++)
        {
            test.Transport.Fail(StatusCode.NotFound);
        }

        await Task.WhenAll(calls);
        Assert.Equal(["getBatch cache", "keysExist cache", "setBatch cache"], spans.Ended.Select(static span => span.DisplayName).Order());
        Assert.All(spans.Ended, span => Assert.Equal(said, span.GetTagItem("db.operation.batch.size")));
    }

    [Fact]
    public async Task Failed_call_span_contains_error_code_and_attempts()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        using SpanRecorder spans = new();
        ValueTask<CacheResult> set = test.Cache.SetAsync("k", "v");
        test.Transport.Fail(StatusCode.Unavailable, notProcessed: true);
        await Eventually.Holds(() => Step() && test.Transport.Count == 1, "the call is sent again");
        test.Transport.Fail(StatusCode.PermissionDenied);
        Expect.Error(await set);
        Activity span = Assert.Single(spans.Ended);
        Assert.Equal((ActivityStatusCode.Error, "PermissionDenied"), (span.Status, span.StatusDescription));
        Assert.Equal(
            "cache.attempts=2 db.namespace=cache db.operation.name=set db.system.name=larder error.type=PermissionDenied server.address=127.0.0.1 "
            + "server.port=8080",
            SpanRecorder.Words(span.TagObjects));

        bool Step()
        {
            test.Time.Advance(TimeSpan.FromMilliseconds(10));
            return true;
        }
    }

    [Fact]
    public async Task Span_of_an_unsent_call_has_no_attempts()
    {
        await using TestClient test = new(Configurations.Laptop.V1() with { MaxInFlightPipeline = 1, RequestTimeout = Second });
        using SpanRecorder spans = new();
        Task<LookupResult<CacheValue>> first = test.Cache.GetAsync("k").AsTask();
        Task<LookupResult<CacheValue>> second = test.Cache.GetAsync("k").AsTask();
        test.Time.Advance(TimeSpan.FromSeconds(2));
        await Eventually.Within(new ValueTask<LookupResult<CacheValue>[]>(Task.WhenAll(first, second)));
        Assert.Equal([0, 1], spans.Ended.Select(static span => (int)span.GetTagItem("cache.attempts")!).Order());
        Assert.All(spans.Ended, static span => Assert.Equal("Timeout", span.GetTagItem("error.type")));
    }

    [Fact]
    public async Task Duration_histogram_has_the_span_attributes_except_batch_size()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        List<string> told = [];
        using MeterListener meters = new()
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Meter == test.Client.Telemetry.Meter && instrument.Name.EndsWith(".operation.duration", StringComparison.Ordinal))
                {
                    self.EnableMeasurementEvents(instrument);
                }
            },
        };
        meters.SetMeasurementEventCallback<double>((instrument, seconds, tags, _) =>
        {
            Assert.Equal(("s", 0.25), (instrument.Unit, seconds));
            told.Add($"{instrument.Name} {SpanRecorder.Words(tags.ToArray())}");
        });
        meters.Start();
        ValueTask<CacheResult<IReadOnlyList<LookupResult<CacheValue>>>> batch = test.Client.Cache("orders").GetBatchAsync(["a", "b"]);
        test.Time.Advance(TimeSpan.FromMilliseconds(250));
        test.Transport.Fail(StatusCode.NotFound);
        Expect.Error(await batch);
        Assert.Equal(
            [
                "cache.client.operation.duration cache.operation=getBatch",
                "db.client.operation.duration cache.attempts=1 db.namespace=orders db.operation.name=getBatch db.system.name=larder error.type=NotFound "
                + "server.address=127.0.0.1 server.port=8080",
            ],
            told);
    }

    [Fact]
    public async Task OpenTelemetry_SDK_exports_spans_and_histogram_bounds()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        using Activity parent = new Activity("test") { ActivityTraceFlags = ActivityTraceFlags.Recorded }.Start();
        List<Activity> spans = [];
        List<string> bounds = [];
        using TracerProvider traces = Sdk.CreateTracerProviderBuilder().AddSource("Larder").AddProcessor(new Heard(spans, parent.TraceId)).Build();
        using MeterProvider metrics = Sdk.CreateMeterProviderBuilder()
            .AddMeter("Larder")
            .AddReader(new BaseExportingMetricReader(new Bounds(bounds)))
            .Build();
        ValueTask<CacheResult> set = test.Cache.SetAsync("k", "v");
        test.Transport.Answer(TestClient.Stored);
        Expect.Success(await set);
        Assert.True(metrics.ForceFlush());
        lock (spans)
        {
            Assert.Equal(["set cache"], spans.Select(static span => span.DisplayName));
        }

        Assert.Contains("db.client.operation.duration: 0.001 0.005 0.01 0.05 0.1 0.5 1 5 10", bounds);
        Assert.Contains(
            "cache.client.operation.duration: 0.0001 0.00025 0.0005 0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10",
            bounds);
    }

    [Fact]
    public async Task Unsampled_call_creates_no_span()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        using SpanRecorder spans = new();
        Activity.Current = null;
        ValueTask<LookupResult<CacheValue>> unsampled = test.Cache.GetAsync("k");
        test.Transport.Answer(TestClient.Missed);
        Expect.Miss(await unsampled);
        Assert.Empty(spans.Ended);
    }

    private sealed class Heard(List<Activity> spans, ActivityTraceId trace) : BaseProcessor<Activity>
    {
        public override void OnEnd(Activity data)
        {
            if (data.TraceId == trace)
            {
                lock (spans)
                {
                    spans.Add(data);
                }
            }
        }
    }

    private sealed class Bounds(List<string> told) : BaseExporter<Metric>
    {
        public override ExportResult Export(in Batch<Metric> batch)
        {
            foreach (Metric metric in batch)
            {
                foreach (ref readonly MetricPoint point in metric.GetMetricPoints())
                {
                    if (metric.MetricType == MetricType.Histogram)
                    {
                        List<string> bounds = [];
                        foreach (HistogramBucket bucket in point.GetHistogramBuckets())
                        {
                            bounds.Add(FormattableString.Invariant($"{bucket.ExplicitBound}"));
                        }

                        told.Add($"{metric.Name}: {string.Join(' ', bounds[..^1])}");
                    }
                }
            }

            return ExportResult.Success;
        }
    }
}
