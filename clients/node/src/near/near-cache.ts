import type { Clock } from "../calls/clock.js";
import { setImmediate } from "../calls/system-timers.js";
import type { Failure } from "../client/errors.js";
import type { Hit } from "../client/responses.js";
import { kinds } from "../operations/_generated/operation-kinds.js";
import { CacheNameOperation, type Operation } from "../operations/operation.js";
import type { Bytes } from "../operations/proto-writer.js";
import { GetOperation } from "../operations/scalar-operations.js";
import type { GuardedHooks } from "../telemetry/guarded-hooks.js";
import { NearCacheFilter } from "./near-cache-filter.js";
import type { NearClock } from "./near-clock.js";
import type { NearCopy } from "./near-copy.js";
import type { NearGet } from "./near-get.js";
import { nearKeyOf } from "./near-key.js";
import { defaultMaxAgeMs, type NearCacheSettings } from "./near-settings.js";
import { NearState } from "./near-state.js";
import type { NearCacheStatistics } from "./near-statistics.js";
import { NearStream } from "./near-stream.js";

// Maximum time without a turn of the event loop. Without this limit, callers whose gets are served from copies would
// block the event loop, and pending invalidations would be delayed.
const turnMs = 10;
/** The result of `get` if the event loop must run before a copy may be served. */
export const mustYield = Symbol("must yield to the event loop");

/**
 * A client's near cache: the local copies, and the stream that delivers their invalidations
 * (protocol/spec/near-cache.md).
 */
export class NearCache {
  readonly state: NearState;
  readonly #names: NearCacheFilter;
  // The streams in the order in which they opened.
  readonly #streams = new Set<NearStream>();
  #lastNumber = 0;
  #refusalReported = false;
  #closed = false;
  // `#turnAt`: the last known time at which the event loop ran. `#askedAt`: the time at which a turn of the event loop
  // was last requested. `#turn`: the promise of the requested turn, or null if no turn is pending.
  #turnAt = 0;
  #askedAt = 0;
  #turn: Promise<void> | null = null;

  constructor(
    settings: NearCacheSettings,
    /** The clock on which timers run. */
    readonly clock: Clock,
    private readonly nearClock: NearClock,
    private readonly hooks: GuardedHooks,
  ) {
    this.#names = new NearCacheFilter(settings);
    this.state = new NearState(settings.maxBytes, settings.maxAgeMs ?? defaultMaxAgeMs);
  }

  statistics(): NearCacheStatistics {
    return this.state.statistics();
  }

  /** Returns the current time in milliseconds, on the clock that leases and copies use. */
  now(): number {
    return this.nearClock.now();
  }

  /** Returns the local copy of a value. Returns null if there is no copy that may be served now. */
  find(cacheName: string, key: Bytes): Hit | null {
    const copy = this.state.heldOf(cacheName, nearKeyOf(key));
    return copy !== undefined && this.state.serve(copy, this.nearClock.now()) ? copy.hit() : null;
  }

  /**
   * Returns the local copy that may be served now, for a caller that awaits the result. Returns `mustYield` if there may
   * be a copy, but the event loop must run first.
   */
  get(cacheName: string, key: Bytes): NearCopy | typeof mustYield | null {
    const copy = this.state.heldOf(cacheName, nearKeyOf(key));
    if (copy === undefined) return null;
    const now = this.nearClock.now();
    if (now - this.#turnAt >= turnMs && this.#isOverdue(now)) return mustYield;
    return this.state.serve(copy, now) ? copy : null;
  }

  /** Returns a promise that resolves in the next turn of the event loop. */
  turn(): Promise<void> {
    this.#turn ??= new Promise((resolve) =>
      setImmediate(() => {
        this.#turn = null;
        this.#turnAt = this.nearClock.now();
        resolve();
      }),
    );
    return this.#turn;
  }

  // Requests a turn of the event loop, if none is pending. Returns whether the requested turn is overdue.
  #isOverdue(now: number): boolean {
    if (this.#turn === null) {
      this.#askedAt = now;
      void this.turn();
    }
    return now - this.#askedAt >= turnMs;
  }

  /** Returns whether an operation is a get of a value that the settings select for copying. */
  selects(operation: Operation<unknown>): operation is GetOperation {
    return operation instanceof GetOperation && this.#names.includes(operation.cacheName, operation.key);
  }

  begin({ cacheName, key }: GetOperation, stream: number, now: number): NearGet {
    return this.state.begin(cacheName, nearKeyOf(key), stream, now);
  }

  /**
   * Called when a call has ended, with or without success, but before its caller gets the result. Not called for a near
   * get that got a response.
   */
  ended(operation: Operation<unknown>): void {
    const { kind, cacheName } = operation;
    if (kind === kinds.flushCache || kind === kinds.deleteCache) {
      if (operation instanceof CacheNameOperation) this.state.flushed(operation.name);
    } else if (kind === kinds.removeByTag) this.state.flushed(cacheName);
    else operation.eachKey((key) => this.state.ended(cacheName, nearKeyOf(key)));
  }

  /** Removes all copies. No copies are stored afterwards. */
  close(): void {
    this.#closed = true;
    for (const stream of this.#streams) stream.lost();
  }

  // The methods below are called by near streams.

  /** Creates the near-cache side of a pipeline stream. */
  stream(): NearStream {
    return new NearStream(this, ++this.#lastNumber);
  }

  streamOpened(stream: NearStream): void {
    this.#streams.add(stream);
    this.#requestNext();
  }

  streamRefused({ message }: Failure): void {
    if (!this.#refusalReported) {
      this.#refusalReported = true;
      this.hooks.connectionChanged({ kind: "nearCacheRefused", message });
    }
    this.#requestNext();
  }

  streamLost(stream: NearStream): void {
    this.#streams.delete(stream);
    this.state.lost(stream.number);
    this.#requestNext();
  }

  // Requests a lease on the next open stream. At most one stream is the near stream or has requested to become the near
  // stream.
  #requestNext(): void {
    if (this.#closed) return;
    let next: NearStream | null = null;
    for (const stream of this.#streams) {
      if (stream.isChosen) return;
      if (next === null && stream.isOpen) next = stream;
    }
    next?.requestLease();
  }
}
