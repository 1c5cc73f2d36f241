// The client's metrics: call durations, time in the queue and on the wire separately, and current gauges.
import { createHistogram } from "node:perf_hooks";
import { CacheClient, Configurations } from "larder-cache";

const histograms = {
  "cache.client.operation.duration": createHistogram(),
  "cache.client.queue.duration": createHistogram(),
  "cache.client.wire.duration": createHistogram(),
};
// Records microseconds, because a node:perf_hooks histogram accepts only integers of 1 or more.
const record = (name, ms) => histograms[name].record(Math.max(1, Math.round(ms * 1_000)));

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
  metrics: {
    callEnded({ durationMs, queueMs, wireMs }) {
      record("cache.client.operation.duration", durationMs);
      record("cache.client.queue.duration", queueMs);
      record("cache.client.wire.duration", wireMs);
    },
    connectionChanged: ({ kind, message }) => console.log(`${kind}: ${message}`),
  },
});

const cache = client.cache("cache");
await cache.set("greeting", "hello");
await Promise.all(Array.from({ length: 5_000 }, () => cache.get("greeting")));
for (const [name, histogram] of Object.entries(histograms))
  console.log(
    `${name}: ${histogram.count} calls, p50 ${histogram.percentile(50)} µs, p99 ${histogram.percentile(99)} µs`,
  );
const { hits, misses, inFlight, inFlightLimit } = client.statistics();
console.log(`cache.hits ${hits}, cache.misses ${misses}, in flight ${inFlight} of ${inFlightLimit}`);
await client.close();
