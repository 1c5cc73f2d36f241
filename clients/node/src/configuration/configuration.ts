import type { NearCacheSettings } from "../near/near-settings.js";

/** How calls are sent. `auto`: by the pipeline if the server has it, otherwise as unary calls. */
export type TransportKind = "auto" | "unary" | "pipeline";

/** Settings of a client (protocol/spec/configuration.md). Immutable; `withSettings` returns a changed copy. */
export interface Configuration {
  /** How calls are sent. Default `auto`. */
  readonly transport: TransportKind;
  /** Deadline of a call, including its wait in the queue and its retries. Milliseconds, 1 … 3,600,000. */
  readonly requestTimeoutMs: number;
  /** Maximum number of unary requests in flight, 1 … 100,000; "off": unlimited. */
  readonly maxInFlightUnary: number | "off";
  /** Maximum number of requests in flight over the pipeline, 1 … 100,000; "off": unlimited. */
  readonly maxInFlightPipeline: number | "off";
  /**
   * Target latency of an adaptive limit: p99.9 of the time from a call's permit to its end, without its wait in the
   * queue. The limit moves between 1 and the maximum above (at most 100,000), and starts at 16. Use it if the server's
   * speed changes or the limit is not tuned. Milliseconds, 0.1 … requestTimeoutMs; "off": the limit is fixed. Default
   * "off". Rules: protocol/spec/adaptive-cap.md.
   */
  readonly adaptiveTargetMs: number | "off";
  /**
   * Maximum number of calls in the queue, 0 … 1,000,000; further calls fail with `ClientOverloaded`. Default 20,000.
   */
  readonly queueLimit: number;
  /**
   * Minimum number of unary channels, each with its own connection, 0 … 100; 0: one for each 100 requests in flight.
   */
  readonly channels: number;
  /** Maximum number of retries, 0 … 10 (RETRY-4). Default 3. */
  readonly maxRetries: number;
  /** Retries per call, averaged over time: 0 … 1 (RETRY-6). Default 0.1. */
  readonly retryBudget: number;
  /**
   * Maximum delay before the first retry; it doubles with each further retry. Milliseconds, 1 … 10,000 (RETRY-11).
   * Default 80.
   */
  readonly initialBackOffMs: number;
  /**
   * Maximum delay before a retry or a reconnection. Milliseconds, initialBackOffMs … 60,000 (RETRY-11). Default 1,000.
   */
  readonly maxBackOffMs: number;
  /**
   * Timeout of one attempt to connect. Milliseconds, 1 … 60,000. Default 5,000: the system sends a SYN again after 1
   * and 3 s.
   */
  readonly connectTimeoutMs: number;
  /**
   * Idle time after which the client pings the server. Milliseconds, 1,000 … 3,600,000; "off": never. Default 5,000.
   */
  readonly keepaliveIntervalMs: number | "off";
  /**
   * Time to wait for a ping's acknowledgement before the connection is closed. Milliseconds, 1,000 … 60,000. Default
   * 1,000.
   */
  readonly keepaliveTimeoutMs: number;
  /** Whether `CacheClient.create` connects. Default false: the first call connects. */
  readonly eagerConnect: boolean;
  /**
   * Additional metadata of every call: names in lower case, values in printable ASCII. Default none.
   */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Copies of values in the client's memory that the server invalidates: for values that are read far more often than
   * written, for example `{ maxBytes: 67_108_864 }`. It needs the pipeline: the transport `unary` is invalid with it,
   * and nothing is copied if the server has no pipeline or no near cache. Default "off". Rules:
   * protocol/spec/near-cache.md.
   */
  readonly nearCache: NearCacheSettings | "off";
}
