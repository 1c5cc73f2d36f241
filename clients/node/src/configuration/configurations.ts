import type { Configuration } from "./configuration.js";
import { validated } from "./configuration-check.js";

/** The versions of a configuration. `v1` never changes. `latest` may change with each release. */
export interface VersionedConfiguration {
  readonly v1: () => Configuration;
  readonly latest: () => Configuration;
}

function versioned(configuration: Configuration): VersionedConfiguration {
  const frozen = validated(configuration);
  return Object.freeze({ v1: () => frozen, latest: () => frozen });
}

// The unary caps and channels come from the published tuning runs of a JavaScript client over gRPC (100 in flight over
// 5 channels on a laptop; 50 and 2 in flight near the service), which were repeated with this client in
// docs/story/node.md. The pipeline caps come from our own runs with a delay proxy that simulates the network
// (tuner/results/in-region-1ms, tuner/results/laptop-30ms). The keepalive times, 5 s and 1 s, are those of the
// published runs.
const common = {
  transport: "auto",
  adaptiveTargetMs: "off",
  queueLimit: 20_000,
  maxRetries: 3,
  retryBudget: 0.1,
  initialBackOffMs: 80,
  maxBackOffMs: 1_000,
  connectTimeoutMs: 5_000,
  keepaliveIntervalMs: 5_000,
  keepaliveTimeoutMs: 1_000,
  eagerConnect: false,
  headers: {},
  nearCache: "off",
} as const;

const laptop = versioned({
  ...common,
  requestTimeoutMs: 5_000,
  maxInFlightUnary: 100,
  maxInFlightPipeline: 1_000,
  channels: 5,
});

const inRegionDefault = versioned({
  ...common,
  requestTimeoutMs: 1_100,
  maxInFlightUnary: 50,
  maxInFlightPipeline: 2_500,
  channels: 2,
});

const inRegionLowLatency = versioned({
  ...common,
  requestTimeoutMs: 500,
  maxInFlightUnary: 2,
  maxInFlightPipeline: 600,
  channels: 2,
});

// Keepalive is off. The function may be frozen between calls, and the client would then treat a healthy connection as
// dead because of an overdue ping. Two other checks detect a dead connection: the freeze detector, and the first call
// that exceeds its deadline. The deadline is longer than the keepalive timeout, which is the longest time that a
// connection may receive nothing while calls wait.
const lambda = versioned({ ...inRegionDefault.v1(), channels: 1, keepaliveIntervalMs: "off", eagerConnect: true });

/** Predefined configurations. Choose one according to where the client runs. */
export const Configurations = Object.freeze({
  /**
   * For a development machine, with a deadline of 5 s. With a round trip of 30 to 35 ms, each permit allows 30 calls a
   * second. 1,000 requests in flight reached 27,000 calls a second (measured with the .NET client). Without the
   * pipeline, the limit is 100 requests in flight over 5 channels; see docs/story/node.md, "One to ten channels" and
   * "From a laptop".
   */
  Laptop: laptop,
  InRegion: Object.freeze({
    /**
     * For clients in the server's region, optimised for throughput with a p99.9 under 20 ms. The deadline is 1,100 ms,
     * and the limit is 2,500 requests in flight. With a round trip of 1 ms, 2,584 requests in flight reached 868,025
     * calls a second with a p99.9 of 9.99 ms, and 1,597 requests in flight reached 94 % of that rate. Without the
     * pipeline, the limit is 50 requests in flight; see docs/story/node.md, "In the server's region" and "Two
     * targets".
     */
    Default: inRegionDefault,
    /**
     * For clients in the server's region, optimised for latency with a p99.9 under 5 ms. The deadline is 500 ms, and
     * the limit is 600 requests in flight. With a round trip of 1 ms, 610 requests in flight reached 372,360 calls a
     * second with a p99.9 of 4.55 ms, but 987 requests in flight exceeded the target with 6.87 ms. Without the
     * pipeline, the limit is 2 requests in flight; see docs/story/node.md, "In the server's region" and "Two targets".
     */
    LowLatency: inRegionLowLatency,
  }),
  /**
   * For functions that are frozen between calls: `InRegion.Default` with one channel, eager connect and no keepalive.
   */
  Lambda: lambda,
});
