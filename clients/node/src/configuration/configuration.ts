import type { NearCacheSettings } from "../near/near-settings.js";

/** Which way calls travel. `auto`: the pipeline where the server has it, otherwise unary. */
export type TransportKind = "auto" | "unary" | "pipeline";

/** A client's settings (protocol/spec/configuration.md). Immutable; make a changed copy with `withSettings`. */
export interface Configuration {
  /** Way of travel. Default `auto`. */
  readonly transport: TransportKind;
  /** The one deadline of a call: waiting, sending and retrying. Milliseconds, 1 … 3,600,000. */
  readonly requestTimeoutMs: number;
  /** Requests in flight at once over unary calls, 1 … 100,000; "off" for none (then every caller sends at once). */
  readonly maxInFlightUnary: number | "off";
  /** Requests in flight at once over the pipeline, 1 … 100,000; "off" for none. */
  readonly maxInFlightPipeline: number | "off";
  /**
   * A cap that finds itself: the time from a call's permit to its end that at most 1 call in 1,000 may exceed (p99.9).
   * The cap then moves between 1 and the one above (at most 100,000), beginning at 16; waiting for it is not counted.
   * Milliseconds, 0.1 … requestTimeoutMs; "off": the cap stays as it is set. Set it where the server's speed changes, or
   * nobody has tuned the cap. Default "off". Rules: protocol/spec/adaptive-cap.md.
   */
  readonly adaptiveTargetMs: number | "off";
  /** Callers that may wait for the cap, 0 … 1,000,000; the next one is answered `ClientOverloaded`. Default 20,000. */
  readonly queueLimit: number;
  /** Least number of unary channels, each with a connection of its own, 0 … 100; 0: one for each 100 of the cap. */
  readonly channels: number;
  /** Sends after the first, 0 … 10 (RETRY-4). Default 3. */
  readonly maxRetries: number;
  /** Retries allowed for each call made, over time: 0 … 1 (RETRY-6). Default 0.1. */
  readonly retryBudget: number;
  /**
   * The longest first wait before a retry; each further one doubles it. Milliseconds, 1 … 10,000 (RETRY-11). Default
   * 80.
   */
  readonly initialBackOffMs: number;
  /**
   * The longest wait before a retry or a reconnection. Milliseconds, initialBackOffMs … 60,000 (RETRY-11). Default
   * 1,000.
   */
  readonly maxBackOffMs: number;
  /**
   * How long one attempt to connect may take. Milliseconds, 1 … 60,000. Default 5,000: a SYN is sent again after 1 and
   * 3 s.
   */
  readonly connectTimeoutMs: number;
  /** Silence after which a connection is pinged. Milliseconds, 1,000 … 3,600,000; "off" for none. Default 5,000. */
  readonly keepaliveIntervalMs: number | "off";
  /**
   * How long a ping's answer may take before the connection is given up. Milliseconds, 1,000 … 60,000. Default 1,000.
   */
  readonly keepaliveTimeoutMs: number;
  /** Whether `CacheClient.create` connects before it answers. Default false: the first call connects. */
  readonly eagerConnect: boolean;
  /**
   * Metadata sent with every call besides the client's own: names in lower case, values of printable ASCII. Default
   * none.
   */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Copies of what gets have read, which the server keeps right; "off" for none. It needs the pipeline: with the transport
   * `unary` it is refused, and where the server has none, or no near cache, nothing is kept. Default "off".
   * `{ maxBytes: 67_108_864 }` for values that are read far more often than written. Rules: protocol/spec/near-cache.md.
   */
  readonly nearCache: NearCacheSettings | "off";
}
