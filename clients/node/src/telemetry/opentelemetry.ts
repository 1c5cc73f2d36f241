/**
 * Metrics and traces of the client for OpenTelemetry.
 *
 * @module larder-cache/opentelemetry
 */

import {
  type Attributes,
  context,
  type Meter,
  metrics,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { version } from "../client/version.js";
import type { CallReport, CallStart, MetricsHooks } from "./metrics.js";
import { OpenTelemetryGauges } from "./opentelemetry-gauges.js";

/** Options of `openTelemetryHooks`. */
export interface OpenTelemetryOptions {
  /**
   * The tracer that creates the spans. If null, no spans are created.
   * @defaultValue the tracer `larder` of the global provider
   */
  readonly tracer?: Tracer | null | undefined;
  /**
   * The meter that records the metrics. If null, no metrics are recorded.
   * @defaultValue the meter `larder` of the global provider
   */
  readonly meter?: Meter | null | undefined;
}

const scope = "larder";
// The buckets in seconds. A call on one machine takes about 100 µs, and a call that waits for its deadline takes 5 s.
// OpenTelemetry's default buckets have no boundary between 0 and 5, so all calls would be in one bucket.
const fineBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
// The buckets that OpenTelemetry's conventions for databases define.
const databaseBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/**
 * Returns hooks for the option `metrics` of a client. The hooks create spans and record metrics with OpenTelemetry's
 * API. Each call has one span, which includes the call's retries and is a child of the active span. The metrics are
 * listed in `docs/names.md`. Call this function after the SDK is set up, because a meter that is created earlier
 * reports nothing. Several clients may share the hooks. Gauges are then the sums over these clients.
 */
export function openTelemetryHooks(options: OpenTelemetryOptions = {}): MetricsHooks {
  const { tracer = trace.getTracer(scope, version), meter = metrics.getMeter(scope, version) } = options;
  const instruments = meter === null ? null : new CallInstruments(meter);
  const gauges = meter === null ? null : new OpenTelemetryGauges(meter);
  return {
    ...(tracer === null ? {} : { callStarted: (call: CallStart) => startedSpan(tracer, call) }),
    callEnded(report, started) {
      if (tracer !== null && started !== undefined) endSpan(started as ReturnType<typeof startedSpan>, report);
      instruments?.record(report);
    },
    ...(gauges === null
      ? {}
      : { clientOpened: (client) => gauges.opened(client), clientClosed: (client) => gauges.closed(client) }),
  };
}

// Starts the span of a call. It does not become the active span, because a call runs no code of its caller.
function startedSpan(tracer: Tracer, call: CallStart) {
  const { operation, cacheName, batchSize } = call;
  const name = cacheName === "" ? operation : `${operation} ${cacheName}`;
  // The attributes are set at the start, because samplers use them.
  const attributes = { ...callAttributes(call), ...(batchSize < 2 ? {} : { "db.operation.batch.size": batchSize }) };
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context.active());
}

function endSpan(span: ReturnType<typeof startedSpan>, report: CallReport): void {
  span.setAttributes(endAttributes(report));
  if (report.errorCode !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function callAttributes({ operation, cacheName, endpoint }: CallStart): Attributes {
  const colon = endpoint.lastIndexOf(":");
  return {
    "db.system.name": "larder",
    "db.operation.name": operation,
    ...(cacheName === "" ? {} : { "db.namespace": cacheName }),
    "server.address": endpoint.slice(0, colon).replace(/^\[|\]$/g, ""),
    "server.port": Number(endpoint.slice(colon + 1)),
  };
}

function endAttributes({ errorCode, attempts }: CallReport): Attributes {
  return { ...(errorCode === undefined ? {} : { "error.type": errorCode }), "cache.attempts": attempts };
}

/** The instruments that record the end of each call. */
class CallInstruments {
  readonly #database;
  readonly #operation;
  readonly #queue;
  readonly #wire;
  readonly #hits;
  readonly #misses;

  constructor(meter: Meter) {
    const histogram = (name: string, description: string, bounds: number[]) =>
      meter.createHistogram(name, { unit: "s", description, advice: { explicitBucketBoundaries: bounds } });
    this.#database = histogram("db.client.operation.duration", "Time from the call to its response.", databaseBuckets);
    this.#operation = histogram("cache.client.operation.duration", "Time from the call to its response.", fineBuckets);
    this.#queue = histogram(
      "cache.client.queue.duration",
      "Time that a call waits in the client's queue because the concurrency limit is reached.",
      fineBuckets,
    );
    this.#wire = histogram(
      "cache.client.wire.duration",
      "Time from the first send to the response, including retries.",
      fineBuckets,
    );
    this.#hits = meter.createCounter("cache.hits", { unit: "{item}", description: "Reads that found an item." });
    this.#misses = meter.createCounter("cache.misses", { unit: "{item}", description: "Reads that found no item." });
  }

  record(report: CallReport): void {
    const { operation, result, errorCode, durationMs, queueMs, wireMs, attempts, hits, misses } = report;
    this.#database.record(durationMs / 1_000, { ...callAttributes(report), ...endAttributes(report) });
    const attributes = { "cache.operation": operation };
    const outcome = { ...attributes, "cache.outcome": errorCode ?? result };
    this.#operation.record(durationMs / 1_000, outcome);
    this.#queue.record(queueMs / 1_000, outcome);
    if (attempts > 0) this.#wire.record(wireMs / 1_000, outcome);
    if (hits > 0) this.#hits.add(hits, attributes);
    if (misses > 0) this.#misses.add(misses, attributes);
  }
}
