import type { NearCacheSettings } from "../near/near-settings.js";

/** How calls are sent. With `auto`, calls use the pipeline if the server supports it, and are unary calls otherwise. */
export type TransportKind = "auto" | "unary" | "pipeline";

/**
 * Settings of a client (protocol/spec/configuration.md). They are immutable. `withSettings` returns a changed copy.
 * Each of the predefined `Configurations` has its own value for the settings that have no default here.
 */
export interface Configuration {
  /**
   * How calls are sent.
   * @defaultValue `auto`
   */
  readonly transport: TransportKind;
  /** Deadline of a call, including its time in the queue and its retries. Milliseconds, 1 … 3,600,000. */
  readonly requestTimeoutMs: number;
  /** Maximum number of unary requests in flight, 1 … 100,000. "off" means unlimited. */
  readonly maxInFlightUnary: number | "off";
  /** Maximum number of requests in flight over the pipeline, 1 … 100,000. "off" means unlimited. */
  readonly maxInFlightPipeline: number | "off";
  /**
   * Target for the p99.9 latency of calls. If it is set, the limit on requests in flight is adaptive. The latency of a
   * call starts when the limit admits the call, so it does not include the time in the queue. The limit starts at 16
   * and moves between 1 and `maxInFlightUnary` or `maxInFlightPipeline` (at most 100,000). Use an adaptive limit if the
   * server's speed changes or if you do not want to tune the limit. Milliseconds, 0.1 … requestTimeoutMs. "off" means
   * that the limit is fixed. Rules: protocol/spec/adaptive-cap.md.
   * @defaultValue "off"
   */
  readonly adaptiveTargetMs: number | "off";
  /**
   * Maximum number of calls in the queue, 0 … 1,000,000. If the queue is full, further calls fail with
   * `ClientOverloaded`.
   * @defaultValue 20,000
   */
  readonly queueLimit: number;
  /**
   * Minimum number of unary channels, each with its own connection, 0 … 100. The client uses more channels if
   * `maxInFlightUnary` needs them: one channel carries at most 100 requests in flight. If `channels` is 0, the client
   * uses only as many as needed, or one channel if `maxInFlightUnary` is "off".
   */
  readonly channels: number;
  /**
   * Maximum number of retries, 0 … 10 (RETRY-4).
   * @defaultValue 3
   */
  readonly maxRetries: number;
  /**
   * Maximum average number of retries per call, 0 … 1 (RETRY-6).
   * @defaultValue 0.1
   */
  readonly retryBudget: number;
  /**
   * Maximum delay before the first retry. The maximum doubles with each further retry. Milliseconds, 1 … 10,000
   * (RETRY-11).
   * @defaultValue 80
   */
  readonly initialBackOffMs: number;
  /**
   * Maximum delay before a retry or a reconnection. Milliseconds, initialBackOffMs … 60,000 (RETRY-11).
   * @defaultValue 1,000
   */
  readonly maxBackOffMs: number;
  /**
   * Timeout of one attempt to connect. Milliseconds, 1 … 60,000. The default leaves time for two more SYN packets,
   * because the operating system retransmits the SYN after 1 s and after 3 s.
   * @defaultValue 5,000
   */
  readonly connectTimeoutMs: number;
  /**
   * Idle time after which the client pings the server. Milliseconds, 1,000 … 3,600,000. "off" means that the client
   * sends no pings.
   * @defaultValue 5,000
   */
  readonly keepaliveIntervalMs: number | "off";
  /**
   * Time to wait for the acknowledgement of a ping. After this time the connection is closed. Milliseconds, 1,000 …
   * 60,000.
   * @defaultValue 1,000
   */
  readonly keepaliveTimeoutMs: number;
  /**
   * Whether `CacheClient.create` connects. If false, the first call connects.
   * @defaultValue false
   */
  readonly eagerConnect: boolean;
  /**
   * Additional metadata of every call: names in lower case, values in printable ASCII.
   * @defaultValue none
   */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Settings of the near cache, for example `{ maxBytes: 67_108_864 }`. The near cache contains copies of values in the
   * client's memory. When a value changes, the server invalidates its copy. Use a near cache for values that are read
   * far more often than written. The near cache needs the pipeline, so it is invalid with the transport `unary`. If the
   * server does not support the pipeline or the near cache, nothing is copied. Rules: protocol/spec/near-cache.md.
   * @defaultValue "off"
   */
  readonly nearCache: NearCacheSettings | "off";
}
