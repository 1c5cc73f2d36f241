import type { CallOptions, CollectionOptions, SetOptions } from "../client/client-options.js";
import { hasBrand } from "../client/package-brand.js";
import type { ErrorResponse } from "../client/responses.js";
import { checkTimeout, requireKnownOptions, requireSignal, wholeTtl } from "../client/validation.js";
import { collectionTtlBrand, keptTtl, type WireTtl } from "../collections/collection-ttl.js";
import type { Operation } from "../operations/operation.js";
import type { CallRunner } from "./call-runner.js";
import { systemClock } from "./clock.js";

/** Makes a client's or a handle's calls: each with its options, or with the defaults for those that are missing. */
export class CallMaker {
  readonly #defaultTtlMs: number;
  readonly #timeoutMs: number;

  constructor(
    private readonly runner: CallRunner,
    { timeoutMs, defaultTtlMs }: { readonly timeoutMs: number; readonly defaultTtlMs: number },
  ) {
    this.#defaultTtlMs = Math.ceil(defaultTtlMs);
    this.#timeoutMs = timeoutMs;
  }

  /** The same calls with another default timeout. */
  withTimeout(timeoutMs: number): CallMaker {
    return new CallMaker(this.runner, { timeoutMs, defaultTtlMs: this.#defaultTtlMs });
  }

  /**
   * Makes one call, under its deadline. Throws a TypeError for an option that there is none of; `own`: those that it has
   * beside the ones of all calls.
   */
  make<R>(
    operation: Operation<R>,
    options: CallOptions | undefined,
    ...own: readonly string[]
  ): Promise<R | ErrorResponse> {
    if (options === undefined) return this.runner.submit(operation, this.#timeoutMs);
    requireKnownOptions(options, own);
    const { timeoutMs = this.#timeoutMs, signal } = options;
    const invalid = this.#refusal(timeoutMs, signal);
    return invalid === null ? this.runner.submit(operation, timeoutMs, signal) : Promise.resolve(invalid);
  }

  /** Whether a call with these options may be answered at once: there is nothing wrong with them, and it was not given up. */
  mayAnswer(options: CallOptions | undefined): boolean {
    if (options === undefined) return true;
    requireKnownOptions(options);
    const { timeoutMs = this.#timeoutMs, signal } = options;
    return this.#refusal(timeoutMs, signal) === null && signal?.aborted !== true;
  }

  /**
   * Makes one call of each part of a batch, one after the other, all under the one deadline; a refusal fails its part.
   */
  async makeParts<I, R>(
    parts: readonly (readonly I[])[],
    operationOf: (part: readonly I[]) => Operation<R>,
    options: CallOptions | undefined,
  ): Promise<(R | ErrorResponse)[]> {
    if (parts.length === 1) return [await this.make(operationOf(parts[0]!), options)];
    if (options !== undefined) requireKnownOptions(options);
    const { timeoutMs = this.#timeoutMs, signal } = options ?? {};
    const invalid = this.#refusal(timeoutMs, signal);
    if (invalid !== null) return [invalid];
    const endMs = systemClock.now() + timeoutMs;
    const answers: (R | ErrorResponse)[] = [];
    for (const part of parts) {
      const leftMs = Math.max(1, endMs - systemClock.now());
      answers.push(await this.runner.submit(operationOf(part), leftMs, signal));
    }
    return answers;
  }

  /** The time to live of a call that stores, in whole milliseconds. Throws a TypeError for what is no number. */
  ttl(options: SetOptions | undefined): number {
    const ttlMs = options?.ttlMs;
    return ttlMs === undefined ? this.#defaultTtlMs : wholeTtl(ttlMs);
  }

  /** That of a call that stores in a collection. Throws a TypeError for what is no time to live. */
  collectionTtl(options: CollectionOptions | undefined): WireTtl {
    const { ttl, ttlMs } = options ?? {};
    if (ttl !== undefined && ttlMs !== undefined) throw new TypeError("a call has one of the options ttl and ttlMs");
    if (ttl === undefined) return { ttlMs: this.ttl(options), refreshes: true };
    if (!hasBrand(ttl, collectionTtlBrand))
      throw new TypeError("ttl must be a CollectionTtl: CollectionTtl.of(60_000); ttlMs is a number of milliseconds");
    return { ttlMs: ttl.ttlMs ?? this.#defaultTtlMs, refreshes: ttl.refreshTtl };
  }

  /** As `collectionTtl`, of a call that leaves the time to live alone unless it is given one. */
  keptTtl(options: CollectionOptions | undefined): WireTtl {
    return options?.ttl === undefined && options?.ttlMs === undefined ? keptTtl : this.collectionTtl(options);
  }

  #refusal(timeoutMs: number, signal: AbortSignal | undefined): ErrorResponse | null {
    if (signal !== undefined) requireSignal(signal);
    return timeoutMs === this.#timeoutMs ? null : checkTimeout(timeoutMs);
  }
}
