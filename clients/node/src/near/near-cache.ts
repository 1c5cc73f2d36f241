import type { Clock } from "../calls/clock.js";
import { setImmediate } from "../calls/system-timers.js";
import type { Failure } from "../client/errors.js";
import type { Hit } from "../client/responses.js";
import { kinds } from "../operations/_generated/operation-kinds.js";
import { CacheNameOperation, type Operation } from "../operations/operation.js";
import type { Bytes } from "../operations/proto-writer.js";
import { GetOperation } from "../operations/scalar-operations.js";
import type { GuardedHooks } from "../telemetry/guarded-hooks.js";
import type { NearClock } from "./near-clock.js";
import type { NearGet } from "./near-get.js";
import { nearKeyOf } from "./near-key.js";
import { NearNames } from "./near-names.js";
import { defaultMaxAgeMs, type NearCacheSettings } from "./near-settings.js";
import { NearState } from "./near-state.js";
import type { NearCacheStatistics } from "./near-statistics.js";
import { NearStream } from "./near-stream.js";

// Callers that are answered from copies, one after the other, do not keep the event loop, and what it has to tell them,
// waiting for longer.
const turnMs = 10;
/** A value may be there, and callers have been answered for so long that the event loop is to have its turn. */
export const overdue = Symbol("the event loop's turn");

/** A client's near cache: the copies that it keeps, and the one stream that tells of them (protocol/spec/near-cache.md). */
export class NearCache {
  readonly state: NearState;
  readonly #names: NearNames;
  // In the order in which they opened.
  readonly #streams = new Set<NearStream>();
  #lastNumber = 0;
  #told = false;
  #closed = false;
  // When the event loop last had its turn, so far as is known, and its next one, where and when that was asked for.
  #turnAt = 0;
  #askedAt = 0;
  #turn: Promise<void> | null = null;

  constructor(
    settings: NearCacheSettings,
    /** Of timers. */
    readonly clock: Clock,
    private readonly nearClock: NearClock,
    private readonly hooks: GuardedHooks,
  ) {
    this.#names = new NearNames(settings);
    this.state = new NearState(settings.maxBytes, settings.maxAgeMs ?? defaultMaxAgeMs);
  }

  statistics(): NearCacheStatistics {
    return this.state.statistics();
  }

  /** Milliseconds on the clock of leases and copies. */
  now(): number {
    return this.nearClock.now();
  }

  /** A value that is held and may be served now. */
  find(cacheName: string, key: Bytes): Hit | null {
    const copy = this.state.heldOf(cacheName, nearKeyOf(key));
    return copy !== undefined && this.state.serve(copy, this.nearClock.now()) ? copy.hit() : null;
  }

  /** The same for a caller that awaits it; `overdue`: there is one perhaps, and it is the event loop's turn first. */
  get(cacheName: string, key: Bytes): Hit | typeof overdue | null {
    const copy = this.state.heldOf(cacheName, nearKeyOf(key));
    if (copy === undefined) return null;
    const now = this.nearClock.now();
    if (now - this.#turnAt >= turnMs && this.#isOverdue(now)) return overdue;
    return this.state.serve(copy, now) ? copy.hit() : null;
  }

  /** The event loop's next turn. */
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

  // Whether its turn has not come though it was asked for a while ago; it is asked for at most that often.
  #isOverdue(now: number): boolean {
    if (this.#turn === null) {
      this.#askedAt = now;
      void this.turn();
    }
    return now - this.#askedAt >= turnMs;
  }

  /** Whether a call is a get of a value that the setting names. */
  wants(operation: Operation<unknown>): operation is GetOperation {
    return operation instanceof GetOperation && this.#names.has(operation.cacheName, operation.key);
  }

  begin({ cacheName, key }: GetOperation, stream: number, now: number): NearGet {
    return this.state.begin(cacheName, nearKeyOf(key), stream, now);
  }

  /** A call that was no answered near get has ended, whatever its end; its caller has not seen it yet. */
  ended(operation: Operation<unknown>): void {
    const { kind, cacheName } = operation;
    if (kind === kinds.flushCache || kind === kinds.deleteCache) {
      if (operation instanceof CacheNameOperation) this.state.flushed(operation.name);
    } else if (kind === kinds.removeByTag) this.state.flushed(cacheName);
    else operation.eachKey((key) => this.state.ended(cacheName, nearKeyOf(key)));
  }

  /** Drops all copies, and keeps none any more. */
  close(): void {
    this.#closed = true;
    for (const stream of this.#streams) stream.lost();
  }

  // Its streams.

  /** A pipeline stream is made. */
  stream(): NearStream {
    return new NearStream(this, ++this.#lastNumber);
  }

  streamOpened(stream: NearStream): void {
    this.#streams.add(stream);
    this.#ask();
  }

  streamRefused({ message }: Failure): void {
    if (!this.#told) {
      this.#told = true;
      this.hooks.connectionChanged({ kind: "nearCacheRefused", message });
    }
    this.#ask();
  }

  streamLost(stream: NearStream): void {
    this.#streams.delete(stream);
    this.state.lost(stream.number);
    this.#ask();
  }

  // One at a time is the near stream, or asked to be.
  #ask(): void {
    if (this.#closed) return;
    let next: NearStream | null = null;
    for (const stream of this.#streams) {
      if (stream.isChosen) return;
      if (next === null && stream.isOpen) next = stream;
    }
    next?.ask();
  }
}
