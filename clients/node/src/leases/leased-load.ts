import { Buffer } from "node:buffer";
import type { Clock } from "../calls/clock.js";
import { setImmediate } from "../calls/system-timers.js";
import { unlessAborted } from "../calls/unless-aborted.js";
import { type CacheError, isUnsupported } from "../client/errors.js";
import type { ErrorResponse } from "../client/responses.js";
import type { LeaseResponse, StaleValue } from "../operations/lease-operations.js";
import type { CacheWarnings } from "../telemetry/cache-warnings.js";
import type { BackgroundLoads } from "./background-loads.js";
import type { KnownStale } from "./factory-context.js";
import type { FactoryValue } from "./factory-value.js";
import type { LeaseCalls } from "./lease-calls.js";
import type { LeaseSettings } from "./lease-settings.js";
import { jitteredTtl, staleReading, storedTimes } from "./lease-times.js";
import type { StaleOffer } from "./single-flight.js";

/** The objects and settings that a leased load depends on. */
export interface LeasedLoadParts {
  readonly calls: LeaseCalls;
  /**
   * Runs the factory within its time limit. Rejects with the factory's exception. `stale` is the stale value for the
   * factory's context, or null.
   */
  readonly load: (signal: AbortSignal | undefined, stale: KnownStale | null) => Promise<FactoryValue>;
  /** Returns whether stored bytes can be decoded. If they cannot be decoded, the load treats them as a miss. */
  readonly isDecodable: (bytes: Buffer) => boolean;
  readonly settings: LeaseSettings;
  /** The TTL of a loaded value that has no TTL of its own, in whole milliseconds. The jitter is not yet subtracted. */
  readonly ttlMs: number;
  readonly clock: Clock;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly background: BackgroundLoads;
  readonly warnings: CacheWarnings;
  /** Called with the stale value that callers may get after their soft timeouts, or with null if no stale value exists. */
  readonly offer: (stale: StaleOffer | null) => void;
}

// Polling interval while another process loads the value (GOC-1). The client polls, because a request that waits on the
// server would occupy a permit.
const initialPauseMs = 10;
const maxPauseMs = 100;

/**
 * Runs one `getOrSet` of a missing key with a lease. The process that has the lease loads the value. Other processes
 * wait for the value or return a stale value (GOC-1 to GOC-14).
 */
export class LeasedLoad {
  // The signal of the load itself. It is null until a stale value is offered. It aborts when the signal of the callers
  // aborts, or when all callers have got the stale value and the load does not continue.
  #own: AbortController | null = null;
  // Whether the factory may be running.
  #isLoading = false;
  #isInBackground = false;

  constructor(private readonly parts: LeasedLoadParts) {}

  /** Returns the cached or loaded value. Rejects with the factory's exception, or with the abort reason of `signal`. */
  async run(signal: AbortSignal | undefined): Promise<Buffer> {
    const abort = () => this.#own?.abort(signal?.reason);
    signal?.addEventListener("abort", abort);
    try {
      return await this.#run(signal);
    } finally {
      signal?.removeEventListener("abort", abort);
      if (this.#isInBackground) this.parts.background.end();
    }
  }

  async #run(given: AbortSignal | undefined): Promise<Buffer> {
    const { calls, settings, clock, random } = this.parts;
    const signal = () => this.#own?.signal ?? given;
    for (let pauseMs = initialPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      const answer = await calls.ask(Math.ceil(settings.leaseMs));
      await this.#throwIfAborted(answer, signal());
      this.#offer(answer);
      const value = await this.#handleResponse(answer, signal());
      if (value !== null) return value;
      await pause(clock, pauseMs * (0.75 + random() / 2), signal());
      signal()?.throwIfAborted();
    }
  }

  // Offers the stale value of a response to the callers, if it can be decoded.
  #offer(answer: LeaseResponse | ErrorResponse): void {
    const { clock, isDecodable, offer } = this.parts;
    if (answer.result !== "stale" || !isDecodable(answer.value)) {
      offer(null);
      return;
    }
    this.#own ??= new AbortController();
    const { value, expiredMs } = answer;
    offer({ value, expiredMs, atMs: clock.now(), abandoned: () => this.#abandoned() });
  }

  // Called when all callers have got the stale value. A load in progress continues in the background (GOC-10), unless the
  // client already runs the maximum number of background loads (GOC-13). Waiting for another load ends.
  #abandoned(): void {
    const { background, calls, warnings } = this.parts;
    if (this.#isLoading && background.tryBegin()) {
      this.#isInBackground = true;
      return;
    }
    if (this.#isLoading) warnings.refreshPostponed(calls.cacheName);
    this.#own!.abort(new DOMException("all callers have got the stale value", "AbortError"));
  }

  async #throwIfAborted(answer: LeaseResponse | ErrorResponse, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted !== true) return;
    if ("token" in answer && answer.token !== null) await this.parts.calls.release(answer.token);
    throw signal.reason;
  }

  // Handles the response to a lease request. Returns null if another caller loads the value and no stale value may be
  // returned.
  async #handleResponse(
    answer: LeaseResponse | ErrorResponse,
    signal: AbortSignal | undefined,
  ): Promise<Buffer | null> {
    switch (answer.result) {
      case "hit":
        return this.parts.isDecodable(answer.value) ? answer.value : this.#loadWithoutLease(signal);
      case "lease":
        return this.#load(answer.token, null, null, signal);
      case "stale":
        return this.#handleStale(answer, signal);
      case "elsewhere":
        return null;
      case "error":
        return this.#loadAfterFailure(answer.error, signal);
    }
  }

  // Handles a stale value. If it cannot be decoded, it is not returned, and a new value is loaded first.
  async #handleStale(stale: StaleValue, signal: AbortSignal | undefined): Promise<Buffer | null> {
    const { token, value, expiredMs } = stale;
    const { settings, isDecodable } = this.parts;
    if (!isDecodable(value)) return token === null ? null : this.#load(token, null, null, signal);
    const reading = staleReading(expiredMs, token !== null, settings);
    switch (reading.answer) {
      case "hit":
      case "stale":
        if (reading.refresh) this.#refreshInBackground(token!, copyOf(stale));
        return value;
      case "load":
        return this.#load(token!, copyOf(stale), reading.fallback ? stale : null, signal);
      case "wait":
        return null;
    }
  }

  // Loads a value. `known`: the stale value for the factory's context. `stale`: the value to return if the factory throws.
  async #load(
    token: Buffer,
    known: KnownStale | null,
    stale: StaleValue | null,
    signal: AbortSignal | undefined,
  ): Promise<Buffer> {
    const { calls, warnings } = this.parts;
    this.#isLoading = true;
    try {
      return await this.#loadAndStore(token, known, signal);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      if (this.#isInBackground) warnings.refreshFailed(calls.cacheName, error);
      else if (stale !== null) warnings.servedStale(calls.cacheName, error);
      if (stale === null) throw error;
      return stale.value;
    }
  }

  async #loadAndStore(token: Buffer, known: KnownStale | null, signal: AbortSignal | undefined): Promise<Buffer> {
    const { calls, warnings } = this.parts;
    let made: FactoryValue;
    try {
      signal?.throwIfAborted();
      made = await unlessAborted(this.parts.load(signal, known), signal);
    } catch (error) {
      await calls.release(token);
      throw error;
    }
    if (!made.isStored) {
      await calls.release(token);
      return made.bytes;
    }
    const failure = await this.#store(made, token, signal);
    if (failure !== null) {
      warnings.notStored(calls.cacheName, failure);
      // Release the lease, because the value that other callers wait for will not be stored.
      void calls.release(token);
    }
    return made.bytes;
  }

  // Loads a value without a lease. Used if the stored value cannot be decoded, because the response then contains no
  // lease. Also used if the server has no free leases.
  async #loadWithoutLease(signal: AbortSignal | undefined): Promise<Buffer> {
    const { calls, load, warnings } = this.parts;
    const made = await load(signal, null);
    const failure = made.isStored ? await this.#store(made, null, signal) : null;
    if (failure !== null) warnings.notStored(calls.cacheName, failure);
    return made.bytes;
  }

  // Loads a value after the lease request failed: the cache fails, has no free leases, or does not support leases.
  async #loadAfterFailure(failure: CacheError, signal: AbortSignal | undefined): Promise<Buffer> {
    if (failure.code === "InvalidArgument") throw failure;
    const { calls, load, random, settings, warnings } = this.parts;
    if (failure.code === "LimitExceeded") return this.#loadWithoutLease(signal);
    const made = await load(signal, null);
    if (!made.isStored) return made.bytes;
    if (isUnsupported(failure) && made.tags.length === 0) {
      const notStored = await calls.set(made.bytes, jitteredTtl(this.#ttlMs(made), settings.jitter, random), signal);
      if (notStored !== null) warnings.notStored(calls.cacheName, notStored);
    } else if (isUnsupported(failure)) {
      // Do not store the value. A server without tags would store it without its tags, and `removeByTag` could not
      // remove it.
      warnings.notStored(calls.cacheName, failure, true);
    } else warnings.notStored(calls.cacheName, failure);
    return made.bytes;
  }

  // Reloads the value in the background, after the caller has received the stale value.
  #refreshInBackground(token: Buffer, known: KnownStale): void {
    const { background, calls, warnings } = this.parts;
    if (!background.tryBegin()) {
      warnings.refreshPostponed(calls.cacheName);
      void calls.release(token);
      return;
    }
    setImmediate(() => {
      this.#loadAndStore(token, known, undefined)
        .catch((error: unknown) => warnings.refreshFailed(calls.cacheName, error))
        .finally(() => background.end());
    });
  }

  #store(made: FactoryValue, token: Buffer | null, signal: AbortSignal | undefined): Promise<CacheError | null> {
    const { calls, random, settings } = this.parts;
    const times = storedTimes(this.#ttlMs(made), settings, random);
    return calls.store({ value: made.bytes, ...times, token, tags: made.tags, validator: made.validator }, signal);
  }

  #ttlMs(made: FactoryValue): number {
    return made.ttlMs ?? this.parts.ttlMs;
  }
}

/** Copies a stale value, because the callers may change the buffer that is returned to them. */
function copyOf({ value, validator }: StaleValue): KnownStale {
  return { value: Buffer.from(value), validator };
}

/** Waits for a time. Returns early if the signal aborts. */
function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      task.cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const task = clock.schedule(end, ms);
    signal?.addEventListener("abort", end);
  });
}
