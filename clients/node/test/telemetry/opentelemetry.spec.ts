// Tests spans and metrics with the OpenTelemetry SDK (docs/names.md).
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { context, type Meter, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { jsonCodec } from "../../src/codecs/codec.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { openTelemetryHooks } from "../../src/telemetry/opentelemetry.js";
import { FakeServer } from "../../src/testing/fake.js";

const secret = "c0ffee";

describe("OpenTelemetry spans and metrics", () => {
  const spans = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const figures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: figures, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  const manager = new AsyncLocalStorageContextManager();
  let tracer: Tracer;
  let meter: Meter;
  let fake: FakeServer;
  before(() => {
    context.setGlobalContextManager(manager.enable());
    tracer = tracers.getTracer("larder");
  });
  beforeEach(() => {
    spans.reset();
    figures.reset();
    meter = meters.getMeter(`larder ${Math.random()}`);
    fake = new FakeServer();
  });
  after(async () => {
    context.disable();
    await tracers.shutdown();
    await meters.shutdown();
  });
  const hooks = () => openTelemetryHooks({ tracer, meter });
  /** Returns the current data of a metric of this test's meter, or undefined if the metric has no data. */
  const measured = async (name: string): Promise<MetricData | undefined> => {
    figures.reset();
    await reader.forceFlush();
    const own = figures.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
    return own.at(-1)?.metrics.find(({ descriptor }) => descriptor.name === name);
  };
  const pointsOf = async (name: string) =>
    (await measured(name))?.dataPoints.map(({ attributes, value }) => ({ attributes, value })) ?? [];
  const durationsOf = async (name: string) => {
    const all = (await measured(name))?.dataPoints ?? [];
    return all.map(({ attributes, value }) => ({ attributes, count: (value as Histogram).count }));
  };
  const base = { "db.system.name": "larder", "server.address": "in-process", "server.port": 1 };

  test("span name and attributes follow the documented table", async () => {
    await using client = fake.client({ metrics: hooks() });
    const handle = client.cache("cache");
    await handle.set("key", "value");
    await handle.getBatch(["key", "other"]);
    await handle.getBatch(["key"]);
    await handle.setBatch({ a: "1", b: "2", c: "3" });
    await client.listCaches();
    const all = spans.getFinishedSpans();
    assert.deepEqual(
      all.map(({ name }) => name),
      ["set cache", "getBatch cache", "getBatch cache", "setBatch cache", "listCaches"],
    );
    const cache = { "db.namespace": "cache" };
    const once = { "cache.attempts": 1 };
    assert.deepEqual(
      all.map(({ attributes }) => attributes),
      [
        { ...base, ...once, ...cache, "db.operation.name": "set" },
        { ...base, ...once, ...cache, "db.operation.name": "getBatch", "db.operation.batch.size": 2 },
        { ...base, ...once, ...cache, "db.operation.name": "getBatch" },
        { ...base, ...once, ...cache, "db.operation.name": "setBatch", "db.operation.batch.size": 3 },
        { ...base, ...once, "db.operation.name": "listCaches" },
      ],
    );
    for (const { kind, status } of all) assert.deepEqual([kind, status.code], [SpanKind.CLIENT, SpanStatusCode.UNSET]);
  });

  test("span covers all retries and reports the final error", async () => {
    const configuration = withSettings(Configurations.Laptop.latest(), { maxRetries: 2 });
    await using client = fake.client({ configuration, metrics: hooks() });
    const cache = client.cache("cache");
    fake.fail("get", "Unavailable", { times: 2 });
    const got = cache.get("key");
    for (let i = 0; i < 5; i++) await fake.advance(1_000);
    assert.equal((await got).result, "miss");
    fake.fail("get", "PermissionDenied");
    await cache.get("key");
    await cache.get("key", { signal: AbortSignal.abort() });
    assert.deepEqual(
      spans.getFinishedSpans().map(({ attributes, status }) => ({
        code: attributes["error.type"],
        attempts: attributes["cache.attempts"],
        status: status.code,
      })),
      [
        { code: undefined, attempts: 3, status: SpanStatusCode.UNSET },
        { code: "PermissionDenied", attempts: 1, status: SpanStatusCode.ERROR },
        { code: "Cancelled", attempts: 0, status: SpanStatusCode.ERROR },
      ],
    );
  });

  test("span is a child of the caller's active span", async () => {
    await using client = fake.client({ metrics: hooks() });
    const cache = client.cache("cache");
    const parent = tracer.startSpan("request");
    await context.with(trace.setSpan(context.active(), parent), async () => {
      await cache.get("key");
      await cache.getOrSet("key", async () => "made", { leaseMs: 1_000 });
      await cache.typed(jsonCodec()).getOrSetBatch(["a", "b"], () => [1, 2]);
      assert.equal(trace.getActiveSpan(), parent);
    });
    await cache.get("key");
    parent.end();
    const all = spans.getFinishedSpans();
    assert.deepEqual(
      all.map(({ name }) => name),
      [
        "get cache",
        "get cache",
        "getOrLease cache",
        "setWithLease cache",
        "getBatch cache",
        "setBatch cache",
        "get cache",
        "request",
      ],
    );
    const { spanId, traceId } = parent.spanContext();
    assert.deepEqual(
      all.map((span) => span.parentSpanContext?.spanId),
      [...Array<string>(6).fill(spanId), undefined, undefined],
    );
    assert.equal(all[0]!.spanContext().traceId, traceId);
  });

  test("durations are recorded in seconds by operation and outcome", async () => {
    await using client = fake.client({ metrics: hooks() });
    const cache = client.cache("cache");
    fake.delay("get", 2_000);
    const got = cache.get("key");
    await fake.advance(2_000);
    await got;
    fake.fail("get", "PermissionDenied");
    await cache.get("key");
    await cache.get("key", { signal: AbortSignal.abort() });
    const outcomes = ["miss", "PermissionDenied", "Cancelled"];
    for (const name of ["operation", "queue", "wire"])
      assert.deepEqual(
        await durationsOf(`cache.client.${name}.duration`),
        outcomes.slice(0, name === "wire" ? 2 : 3).map((outcome) => ({
          attributes: { "cache.operation": "get", "cache.outcome": outcome },
          count: 1,
        })),
      );
    const slow = (await measured("cache.client.operation.duration"))!.dataPoints[0]!.value as Histogram;
    assert.equal(slow.sum, 2);
    const get = { ...base, "db.operation.name": "get", "db.namespace": "cache" };
    assert.deepEqual(await durationsOf("db.client.operation.duration"), [
      { attributes: { ...get, "cache.attempts": 1 }, count: 1 },
      { attributes: { ...get, "cache.attempts": 1, "error.type": "PermissionDenied" }, count: 1 },
      { attributes: { ...get, "cache.attempts": 0, "error.type": "Cancelled" }, count: 1 },
    ]);
    const { descriptor } = (await measured("db.client.operation.duration"))!;
    assert.equal(descriptor.unit, "s");
  });

  test("counts hits and misses of items, batches and hashes", async () => {
    await using client = fake.client({ metrics: hooks() });
    const cache = client.cache("cache");
    await cache.set("key", "value");
    await cache.get("key");
    await cache.get("other");
    await cache.getBatch(["key", "key", "other"]);
    await cache.getWithHash("key");
    fake.fail("get", "Internal");
    await cache.get("key");
    const of = (operation: string, value: number) => ({ attributes: { "cache.operation": operation }, value });
    assert.deepEqual(await pointsOf("cache.hits"), [of("get", 1), of("getBatch", 2), of("getWithHash", 1)]);
    assert.deepEqual(await pointsOf("cache.misses"), [of("get", 1), of("getBatch", 1)]);
  });

  test("gauges report the sum of clients that share the hooks", async () => {
    const shared = hooks();
    const configuration = withSettings(Configurations.Laptop.latest(), { maxInFlightPipeline: 10 });
    const [one, other] = [1, 2].map(() => fake.client({ configuration, metrics: shared }));
    fake.delay("get", 1_000, { times: 3 });
    const gets = [one!.cache("cache").get("a"), one!.cache("cache").get("b"), other!.cache("cache").get("c")];
    assert.deepEqual(await pointsOf("cache.client.in_flight"), [{ attributes: {}, value: 3 }]);
    assert.deepEqual(await pointsOf("cache.client.in_flight.limit"), [{ attributes: {}, value: 20 }]);
    assert.deepEqual(await pointsOf("cache.client.near.hits"), []);
    await fake.advance(1_000);
    await Promise.all(gets);
    await one!.close();
    assert.deepEqual(await pointsOf("cache.client.in_flight.limit"), [{ attributes: {}, value: 10 }]);
    await other!.close();
    await other!.close();
  });

  test("closed client's near cache counts are kept", async () => {
    const { clientOpened, clientClosed } = hooks();
    const nearOf = (hits: number) => {
      const nearCache = { hits, kept: 1, invalidations: 0, clears: 0, poisoned: 0, evictions: 0, copies: 1, bytes: 9 };
      const topics = { subscriptions: 0, items: 0, discontinuities: 0, reconnects: 0 };
      return { endpoint: "", statistics: () => ({ nearCache, topics, inFlight: 0, inFlightLimit: "off" }) } as never;
    };
    const [one, other] = [nearOf(3), nearOf(4)];
    clientOpened!(one);
    clientOpened!(other);
    assert.equal((await pointsOf("cache.client.near.hits"))[0]!.value, 7);
    assert.equal((await pointsOf("cache.client.near.bytes"))[0]!.value, 18);
    clientClosed!(one);
    assert.equal((await pointsOf("cache.client.near.hits"))[0]!.value, 7);
    assert.equal((await pointsOf("cache.client.near.bytes"))[0]!.value, 9);
    assert.deepEqual(await pointsOf("cache.client.in_flight.limit"), []);
    clientClosed!(other);
  });

  test("spans and metrics contain no key, value or tag", async () => {
    await using client = fake.client({ metrics: hooks() });
    const cache = client.cache("cache");
    await cache.setWithTags(secret, secret, [secret]);
    await cache.get(secret);
    await cache.getOrSet(`${secret} 2`, () => secret, { tags: [secret] });
    await cache.increment(secret);
    await cache.get("");
    await cache.dictionarySet(secret, { [secret]: secret });
    fake.fail("get", "Internal");
    await cache.get(secret);
    figures.reset();
    await reader.forceFlush();
    const told = spans.getFinishedSpans().map(({ name, attributes, events, status }) => ({
      name,
      attributes,
      events,
      status,
    }));
    assert.ok(told.length >= 8);
    assert.ok(!JSON.stringify([told, figures.getMetrics()]).includes(secret));
  });

  test("tracer and meter are each optional", async () => {
    for (const [options, wanted] of [
      [{ tracer, meter: null }, 1],
      [{ tracer: null, meter }, 0],
      [{ tracer: null, meter: null }, 0],
    ] as const) {
      spans.reset();
      await using client = fake.client({ metrics: openTelemetryHooks(options) });
      await client.cache("cache").get("key");
      assert.equal(spans.getFinishedSpans().length, wanted);
    }
    // Without an SDK the global providers do nothing.
    await using client = fake.client({ metrics: openTelemetryHooks() });
    assert.equal((await client.cache("cache").get("key")).result, "miss");
  });

  test("exception in a tracer fails no call", async () => {
    const hostile = new Proxy(tracer, {
      get: () => () => {
        throw new Error("no tracer");
      },
    });
    await using client = fake.client({ metrics: openTelemetryHooks({ tracer: hostile, meter }) });
    assert.equal((await client.cache("cache").get("key")).result, "miss");
    assert.deepEqual((await pointsOf("cache.misses")).length, 1);
  });
});
