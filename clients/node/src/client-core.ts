import type { CacheClientOptions, CallOptions, SetOptions } from "./client-options.js";
import { type ClientParts, clientParts } from "./client-parts.js";
import type { ClientStatistics } from "./metrics.js";
import type { Operation } from "./operation.js";
import type { ErrorResponse } from "./responses.js";
import { checkTimeout, checkTtl, requireKnownOptions } from "./validation.js";

const eagerConnectTimeoutMs = 30_000;

/** A client's life: its parts, its connections, what it holds, and its end. */
export abstract class ClientCore implements AsyncDisposable {
  protected readonly parts: ClientParts;
  readonly #defaultTtlMs: number;
  readonly #timeoutMs: number;

  constructor(options: CacheClientOptions) {
    if (checkTtl(options.defaultTtlMs) !== null) throw new RangeError(`defaultTtlMs is ${options.defaultTtlMs}`);
    this.#defaultTtlMs = Math.ceil(options.defaultTtlMs);
    this.#timeoutMs = options.configuration.requestTimeoutMs;
    this.parts = clientParts(options);
  }

  /** Connects now instead of at the first call; rejects with the reason if that fails in `timeoutMs`. */
  connect(timeoutMs = eagerConnectTimeoutMs): Promise<void> {
    return this.parts.transport.connect(timeoutMs);
  }

  /** What the client holds now. */
  statistics(): ClientStatistics {
    const { limiter, adaptive, dispatcher, transport } = this.parts;
    return {
      inFlight: limiter.inFlight,
      inFlightLimit: limiter.limit,
      targetOutOfReach: adaptive?.state === "outOfReach",
      queued: limiter.queued,
      connections: transport.connections,
      pipelined: transport.pipelined,
      hits: dispatcher.hits,
      misses: dispatcher.misses,
    };
  }

  /** Ends every call that waits or is under way with `Cancelled`, and closes the connections. */
  async close(): Promise<void> {
    this.parts.dispatcher.close();
    this.parts.transport.close();
    this.parts.lag.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Makes one call, under its deadline. Throws a TypeError for an option that there is none of. */
  protected submit<R>(operation: Operation<R>, options: CallOptions | undefined): Promise<R | ErrorResponse> {
    if (options !== undefined) requireKnownOptions(options);
    const timeoutMs = options?.timeoutMs ?? this.#timeoutMs;
    const invalid = timeoutMs === this.#timeoutMs ? null : checkTimeout(timeoutMs);
    if (invalid !== null) return Promise.resolve(invalid);
    return this.parts.dispatcher.submit(operation, timeoutMs, options?.signal);
  }

  /** The time to live of a call that stores. */
  protected ttl(options: SetOptions | undefined): number {
    return options?.ttlMs ?? this.#defaultTtlMs;
  }
}
