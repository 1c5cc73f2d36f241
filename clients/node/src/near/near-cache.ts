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
import type { NearGet } from "./near-get.js";
import { nearKeyOf } from "./near-key.js";
import { defaultMaxAgeMs, type NearCacheSettings } from "./near-settings.js";
import { NearState } from "./near-state.js";
import type { NearCacheStatistics } from "./near-statistics.js";
import { NearStream } from "./near-stream.js";

// Limit of consecutive hits without an event-loop turn. Otherwise callers served from copies would delay the event
// loop, and with it pending invalidations.
const turnMs = 10;
/** Returned if there may be a value, but the event loop must run first. */
export const mustYield = Symbol("the current turn of the event loop");

/**
 * A client's near cache: its copies, and the one stream that delivers their invalidations
 * (protocol/spec/near-cache.md).
 */
export class NearCache {
  readonly state: NearState;
  readonly #names: NearCacheFilter;
  // In the order in which they opened.
  readonly #streams = new Set<NearStream>();
  #lastNumber = 0;
  #refusalReported = false;
  #closed = false;
  // When the event loop is last known to have run, when its next turn was requested, and that turn if it is pending.
  #turnAt = 0;
  #askedAt = 0;
  #turn: Promise<void> | null = null;

  constructor(
    settings: NearCacheSettings,
    /** The clock of timers. */
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

  /** Returns milliseconds on the clock of leases and copies. */
  now(): number {
    return this.nearClock.now();
  }

  /** Returns a copy that may be served now, or null. */
  find(cacheName: string, key: Bytes): Hit | null {
    const copy = this.state.heldOf(cacheName, nearKeyOf(key));
    return copy !== undefined && this.state.serve(copy, this.nearClock.now()) ? copy.hit() : null;
  }

  /**
   * Like `find`, for a caller that awaits the result. `mustYield`: there may be a copy, but the event loop must run
   * first.
   */
  get(cacheName: string, key: Bytes): Hit | typeof mustYield | null {
    const copy = this.state.heldOf(cacheName, nearKeyOf(key));
    if (copy === undefined) return null;
    const now = this.nearClock.now();
    if (now - this.#turnAt >= turnMs && this.#isOverdue(now)) return mustYield;
    return this.state.serve(copy, now) ? copy.hit() : null;
  }

  /** Resolves in the next turn of the event loop. */
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

  // Returns whether the event loop has not run for a while after its turn was requested.
  #isOverdue(now: number): boolean {
    if (this.#turn === null) {
      this.#askedAt = now;
      void this.turn();
    }
    return now - this.#askedAt >= turnMs;
  }

  /** Returns whether a call is a get of a value that the settings select. */
  selects(operation: Operation<unknown>): operation is GetOperation {
    return operation instanceof GetOperation && this.#names.includes(operation.cacheName, operation.key);
  }

  begin({ cacheName, key }: GetOperation, stream: number, now: number): NearGet {
    return this.state.begin(cacheName, nearKeyOf(key), stream, now);
  }

  /**
   * A call other than an answered near get has ended, with or without success. Its caller has not seen the result yet.
   */
  ended(operation: Operation<unknown>): void {
    const { kind, cacheName } = operation;
    if (kind === kinds.flushCache || kind === kinds.deleteCache) {
      if (operation instanceof CacheNameOperation) this.state.flushed(operation.name);
    } else if (kind === kinds.removeByTag) this.state.flushed(cacheName);
    else operation.eachKey((key) => this.state.ended(cacheName, nearKeyOf(key)));
  }

  /** Drops all copies, and stores no more. */
  close(): void {
    this.#closed = true;
    for (const stream of this.#streams) stream.lost();
  }

  // The streams.

  /** Creates the near stream of a pipeline stream. */
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

  // Only one stream at a time is, or has been asked to become, the near stream.
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
