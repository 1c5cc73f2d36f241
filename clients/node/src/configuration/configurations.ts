import type { Configuration } from "./configuration.js";
import { validated } from "./configuration-check.js";

/** A configuration in its versions: `v1` is frozen for ever, `latest` may improve from release to release. */
export interface VersionedConfiguration {
  readonly v1: () => Configuration;
  readonly latest: () => Configuration;
}

function versioned(configuration: Configuration): VersionedConfiguration {
  const frozen = validated(configuration);
  return Object.freeze({ v1: () => frozen, latest: () => frozen });
}

// Unary caps and channels: the published tuning runs of the JavaScript client (100 in flight over 5 channels on a
// laptop; 50 and 2 in flight beside the service), run again beside our own figures in docs/story/node.md. Pipelined caps:
// the knees of our own runs through a delay proxy that stands for the network (tuner/results/in-region-1ms,
// tuner/results/laptop-30ms). Keepalive: 5 s and 1 s, as published.
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

// The function may be frozen between calls, so that pings would find a healthy connection dead. A connection that is dead
// is found by the freeze, or by the first deadline: longer than the keepalive timeout, which limits its silence.
const lambda = versioned({ ...inRegionDefault.v1(), channels: 1, keepaliveIntervalMs: "off", eagerConnect: true });

/** Settings that need no tuning: choose by where the client runs. */
export const Configurations = Object.freeze({
  /**
   * A development machine, with a lenient deadline of 5 s. Over 30 to 35 ms there and back, each call in flight gets 30 a
   * second done, whatever the language: 1,000 in flight, 27,000 a second (measured with the .NET client). Unary, 100 in
   * flight over 5 channels: docs/story/node.md, "One to ten channels" and "From a laptop".
   */
  Laptop: laptop,
  InRegion: Object.freeze({
    /**
     * Beside the server, throughput first, p99.9 under 20 ms: 1,100 ms, 2,500 in flight. Over 1 ms there and back, 2,584
     * in flight gave 868,025 calls a second at p99.9 9.99 ms; 1,597 gave 94 % of that. Unary, 50 in flight:
     * docs/story/node.md, "In the server's region" and "Two targets".
     */
    Default: inRegionDefault,
    /**
     * Beside the server, latency first, p99.9 under 5 ms: 500 ms, 600 in flight. Over 1 ms there and back, 610 in flight
     * gave 372,360 calls a second at p99.9 4.55 ms; 987 were over it, with 6.87 ms. Unary, 2 in flight:
     * docs/story/node.md, "In the server's region" and "Two targets".
     */
    LowLatency: inRegionLowLatency,
  }),
  /** `InRegion.Default` with one channel, connected eagerly, without keepalive. */
  Lambda: lambda,
});
