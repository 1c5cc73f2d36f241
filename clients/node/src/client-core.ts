import type { CacheClientOptions, CallOptions, SetOptions } from "./client-options.js";
import { checkedOptions } from "./client-options-check.js";
import { type ClientParts, clientParts } from "./client-parts.js";
import { systemClock } from "./clock.js";
import type { ClientStatistics } from "./metrics.js";
import type { Operation } from "./operation.js";
import type { ErrorResponse } from "./responses.js";
import { checkTimeout, requireKnownOptions, requireSignal } from "./validation.js";

const eagerConnectTimeoutMs = 30_000;

/** A client's life: its parts, its connections, what it holds, and its end. */
export abstract class ClientCore implements AsyncDisposable {
  protected readonly parts: ClientParts;
  readonly #defaultTtlMs: number;
  readonly #timeoutMs: number;

  constructor(options: CacheClientOptions) {
    const checked = checkedOptions(options);
    this.#defaultTtlMs = Math.ceil(checked.defaultTtlMs);
    this.#timeoutMs = checked.configuration.requestTimeoutMs;
    this.parts = clientParts(checked);
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
    const { dispatcher } = this.parts;
    if (options === undefined) return dispatcher.submit(operation, this.#timeoutMs);
    requireKnownOptions(options);
    const { timeoutMs = this.#timeoutMs, signal } = options;
    const invalid = timeoutMs === this.#timeoutMs ? null : checkTimeout(timeoutMs);
    if (invalid !== null) return Promise.resolve(invalid);
    if (signal !== undefined) requireSignal(signal);
    return dispatcher.submit(operation, timeoutMs, signal);
  }

  /** Makes one call of each part of a batch, one after the other, all under the one deadline; a refusal fails its part. */
  protected async submitParts<I, R>(
    parts: readonly (readonly I[])[],
    operationOf: (part: readonly I[]) => Operation<R>,
    options: CallOptions | undefined,
  ): Promise<(R | ErrorResponse)[]> {
    if (parts.length === 1) return [await this.submit(operationOf(parts[0]!), options)];
    const { timeoutMs = this.#timeoutMs, signal } = options ?? {};
    const endMs = systemClock.now() + timeoutMs;
    const answers: (R | ErrorResponse)[] = [];
    for (const part of parts) {
      const leftMs = Math.max(1, endMs - systemClock.now());
      answers.push(await this.submit(operationOf(part), { timeoutMs: leftMs, signal }));
    }
    return answers;
  }

  /** The time to live of a call that stores. */
  protected ttl(options: SetOptions | undefined): number {
    return options?.ttlMs ?? this.#defaultTtlMs;
  }
}
