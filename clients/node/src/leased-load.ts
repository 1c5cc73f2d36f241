import type { Buffer } from "node:buffer";
import { setImmediate } from "node:timers";
import type { CacheWarnings } from "./cache-warnings.js";
import type { Clock } from "./clock.js";
import type { CacheError } from "./errors.js";
import type { LeaseCalls } from "./lease-calls.js";
import type { LeaseAnswer, StaleValue } from "./lease-operations.js";
import { jitteredTtl, type LeaseSettings, staleMsOf } from "./lease-settings.js";
import type { ErrorResponse } from "./responses.js";
import { late, within } from "./time-limit.js";

/** What a leased load works with. */
export interface LeasedLoadParts {
  readonly calls: LeaseCalls;
  /** Makes the value, within its time; rejects with what the factory throws. */
  readonly make: (signal: AbortSignal | undefined) => Promise<Buffer>;
  readonly settings: LeaseSettings;
  /** Time to live of what is made, before the jitter: whole milliseconds. */
  readonly ttlMs: number;
  readonly clock: Clock;
  /** Draws from 0 to 1. */
  readonly random: () => number;
  readonly warnings: CacheWarnings;
}

// Between two questions while somebody else makes the value (GOC-1): one that waited at the server would hold a permit.
const firstPauseMs = 10;
const longestPauseMs = 100;

/** One `getOrSet` of a missing key with a lease: of all processes one makes the value (GOC-1 to GOC-11). */
export class LeasedLoad {
  constructor(private readonly parts: LeasedLoadParts) {}

  /** What the cache has by now, or is made. Rejects with what the factory throws, and with the reason of `signal`. */
  async run(signal: AbortSignal | undefined): Promise<Buffer> {
    const { calls, settings, clock, random } = this.parts;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const answer = await calls.ask(Math.ceil(settings.leaseMs));
      await this.#leaveIfAborted(answer, signal);
      const value = await this.#answered(answer, signal);
      if (value !== null) return value;
      await pause(clock, pauseMs * (0.75 + random() / 2), signal);
      signal?.throwIfAborted();
    }
  }

  async #leaveIfAborted(answer: LeaseAnswer | ErrorResponse, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted !== true) return;
    if ("token" in answer && answer.token !== null) await this.parts.calls.release(answer.token);
    throw signal.reason;
  }

  // Null: somebody else makes the value, and nothing is there to be answered meanwhile.
  async #answered(answer: LeaseAnswer | ErrorResponse, signal: AbortSignal | undefined): Promise<Buffer | null> {
    switch (answer.result) {
      case "hit":
        return answer.value;
      case "lease":
        return this.#load(answer.token, null, signal);
      case "stale":
        if (answer.expiredMs < this.parts.settings.revalidateForMs) {
          if (answer.token !== null) this.#makeAnew(answer.token);
          return answer.value;
        }
        return answer.token === null ? null : this.#load(answer.token, answer, signal);
      case "elsewhere":
        return null;
      case "error":
        return this.#loadWithout(answer.error, signal);
    }
  }

  // `stale`: what may be answered where the factory throws, or takes longer than the soft timeout.
  async #load(token: Buffer, stale: StaleValue | null, signal: AbortSignal | undefined): Promise<Buffer> {
    const { calls, clock, settings, warnings } = this.parts;
    if (stale === null || stale.expiredMs >= settings.failSafeForMs) return this.#made(token, signal);
    // The load's own: where it is not waited for, it goes on.
    const own = new AbortController();
    const abort = () => own.abort(signal?.reason);
    if (signal?.aborted === true) abort();
    signal?.addEventListener("abort", abort);
    try {
      const load = this.#made(token, own.signal);
      const made = await within(clock, load, settings.softTimeoutMs);
      if (made !== late) return made;
      load.catch((error: unknown) => warnings.notMadeAnew(calls.cacheName, error));
    } catch (error) {
      if (signal?.aborted === true) throw error;
      warnings.servedStale(calls.cacheName, error);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
    return stale.value;
  }

  async #made(token: Buffer, signal: AbortSignal | undefined): Promise<Buffer> {
    const { calls, warnings } = this.parts;
    let value: Buffer;
    try {
      signal?.throwIfAborted();
      value = await unlessAborted(this.parts.make(signal), signal);
    } catch (error) {
      await calls.release(token);
      throw error;
    }
    const failure = await this.#store(value, token, signal);
    if (failure !== null) {
      warnings.notStored(calls.cacheName, failure);
      // The others are not to wait for what will not come.
      void calls.release(token);
    }
    return value;
  }

  // Without a lease: the cache fails, has its most leases, or has no such call.
  async #loadWithout(failure: CacheError, signal: AbortSignal | undefined): Promise<Buffer> {
    if (failure.code === "InvalidArgument") throw failure;
    const { calls, make, settings, warnings } = this.parts;
    const value = await make(signal);
    if (failure.code === "LimitExceeded") {
      const notStored = await this.#store(value, null, signal);
      if (notStored !== null) warnings.notStored(calls.cacheName, notStored);
    } else if (failure.code === "Unknown" && settings.tags.length === 0) {
      const notStored = await calls.set(value, this.#ttlMs(), signal);
      if (notStored !== null) warnings.notStored(calls.cacheName, notStored);
    } else if (failure.code === "Unknown") {
      // A server that knows no tags would keep what is to be removed by them.
      warnings.notStored(calls.cacheName, failure, true);
    } else warnings.notStored(calls.cacheName, failure);
    return value;
  }

  // In the background, and not before who asked has what is stale.
  #makeAnew(token: Buffer): void {
    const { calls, warnings } = this.parts;
    setImmediate(() => {
      this.#made(token, undefined).catch((error: unknown) => warnings.notMadeAnew(calls.cacheName, error));
    });
  }

  #store(value: Buffer, token: Buffer | null, signal: AbortSignal | undefined): Promise<CacheError | null> {
    const { calls, settings } = this.parts;
    const { tags } = settings;
    return calls.store({ value, ttlMs: this.#ttlMs(), staleMs: staleMsOf(settings), token, tags }, signal);
  }

  #ttlMs(): number {
    const { ttlMs, settings, random } = this.parts;
    return jitteredTtl(ttlMs, settings.jitter, random);
  }
}

/** Waits; not past the signal's abort. */
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

/** What `work` comes to, or the signal's reason where that aborts first; the work itself goes on unheard. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    const left = () => signal.removeEventListener("abort", abort);
    work.then(resolve, reject).finally(left);
  });
}
