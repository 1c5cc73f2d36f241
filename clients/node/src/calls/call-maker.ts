import type { CallOptions, CollectionOptions, SetOptions } from "../client/client-options.js";
import { hasBrand } from "../client/package-brand.js";
import type { ErrorResponse } from "../client/responses.js";
import { checkTimeout, requireKnownOptions, requireSignal, wholeTtl } from "../client/validation.js";
import { collectionTtlBrand, unchangedTtl, type WireTtl } from "../collections/collection-ttl.js";
import type { Operation } from "../operations/operation.js";
import type { CallRunner } from "./call-runner.js";
import { systemClock } from "./clock.js";

/** Makes the calls of a client or a cache handle. An option that a call does not set has the client's default. */
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

  /** Returns a copy with a different default timeout. */
  withTimeout(timeoutMs: number): CallMaker {
    return new CallMaker(this.runner, { timeoutMs, defaultTtlMs: this.#defaultTtlMs });
  }

  /**
   * Makes one call with its deadline.
   * @param own - The names of options that this call has in addition to the common options.
   * @throws TypeError for an unknown option.
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

  /**
   * Returns whether a call with these options may be answered locally. The result is true if the options are valid and
   * the signal is not aborted.
   */
  mayAnswer(options: CallOptions | undefined): boolean {
    if (options === undefined) return true;
    requireKnownOptions(options);
    const { timeoutMs = this.#timeoutMs, signal } = options;
    return this.#refusal(timeoutMs, signal) === null && signal?.aborted !== true;
  }

  /**
   * Makes one call for each part of a batch, one after the other. All calls share one deadline. If one call fails, the
   * other parts are not affected.
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

  /**
   * Returns the TTL of a call that stores an item, in whole milliseconds.
   * @throws TypeError if the TTL is not a number.
   */
  ttl(options: SetOptions | undefined): number {
    const ttlMs = options?.ttlMs;
    return ttlMs === undefined ? this.#defaultTtlMs : wholeTtl(ttlMs);
  }

  /**
   * Returns the TTL of a call that writes to a collection. If no TTL is passed, each write resets the
   * collection's TTL to the client's default.
   * @throws TypeError if the TTL has a wrong type.
   */
  collectionTtl(options: CollectionOptions | undefined): WireTtl {
    const { ttl, ttlMs } = options ?? {};
    if (ttl !== undefined && ttlMs !== undefined)
      throw new TypeError("the options ttl and ttlMs are mutually exclusive; pass one of them");
    if (ttl === undefined) return { ttlMs: this.ttl(options), refreshes: true };
    if (!hasBrand(ttl, collectionTtlBrand))
      throw new TypeError(
        "ttl must be a CollectionTtl, for example CollectionTtl.of(60_000); pass milliseconds as ttlMs",
      );
    return { ttlMs: ttl.ttlMs ?? this.#defaultTtlMs, refreshes: ttl.refreshTtl };
  }

  /**
   * Returns the TTL of a call that writes to a collection. If no TTL is passed, the collection keeps its current TTL.
   */
  keptTtl(options: CollectionOptions | undefined): WireTtl {
    return options?.ttl === undefined && options?.ttlMs === undefined ? unchangedTtl : this.collectionTtl(options);
  }

  #refusal(timeoutMs: number, signal: AbortSignal | undefined): ErrorResponse | null {
    if (signal !== undefined) requireSignal(signal);
    return timeoutMs === this.#timeoutMs ? null : checkTimeout(timeoutMs);
  }
}
