import { Call, type CallOwner } from "../calls/call.js";
import { type Clock, type ScheduledTask, scheduleInBackground } from "../calls/clock.js";
import type { Failure } from "../client/errors.js";
import type { Hit, Miss } from "../client/responses.js";
import { NearOpenOperation, NearRenewOperation } from "../operations/near-operations.js";
import type { Operation } from "../operations/operation.js";
import type { GetOperation } from "../operations/scalar-operations.js";
import type { NearGet } from "./near-get.js";
import type { NearState } from "./near-state.js";

/**
 * The state of a stream: `new → open → asked → near`, or `asked → refused` if the server offers no near cache on it.
 * Every state can change to `lost`.
 */
type NearStreamState = "new" | "open" | "asked" | "near" | "refused" | "lost";

/** Sends the near cache's own operations on a stream. */
export interface NearSession {
  readonly hasRoom: boolean;
  send(call: Call): void;
}

// NEAR-21: renew every second, or after a third of the lease. The minimum keeps tiny leases from causing a busy loop.
const maxRenewMs = 1_000;
const minRenewMs = 10;
// Internal operations have no caller with a deadline. They end with their stream.
const deadlineMs = 3_600_000;
// NEAR-2: a ticket is below 2^20, and a result contains ticket + 1.
const maxTicket = 1 << 20;

/** The part of the near cache that its streams use. */
export interface NearStreamOwner {
  readonly state: NearState;
  readonly clock: Clock;
  /** Returns the near cache's time, in milliseconds. */
  now(): number;
  /** Returns whether a get of this operation must be a near get. */
  selects(operation: Operation<unknown>): operation is GetOperation;
  /** Called when a near get is written at the time `at`. */
  begin(operation: GetOperation, stream: number, at: number): NearGet;
  streamOpened(stream: NearStream): void;
  streamLost(stream: NearStream): void;
  streamRefused(failure: Failure): void;
}

/** The near-cache side of one pipeline stream: requests and renews its lease, and passes its messages to the cache. */
export class NearStream implements CallOwner {
  #state: NearStreamState = "new";
  #session: NearSession | null = null;
  #sentAt = 0;
  #renewMs = maxRenewMs;
  #next: ScheduledTask | null = null;
  // The time for everything written or read in one turn, taken once: never later than the actual time. -1: not taken
  // yet.
  #turnAt = -1;

  constructor(
    private readonly cache: NearStreamOwner,
    /** Unique among the client's streams, over 0. */
    readonly number: number,
  ) {}

  /** Returns whether this is the near stream, so that gets on it are near gets. */
  get isNear(): boolean {
    return this.#state === "near";
  }

  /** Returns whether it is, or may become, the near stream. */
  get isChosen(): boolean {
    return this.#state === "near" || this.#state === "asked";
  }

  /** Returns whether a lease may be requested on it. */
  get isOpen(): boolean {
    return this.#state === "open" && this.#session!.hasRoom;
  }

  /** The stream is open, and nothing has been sent on it yet. */
  opened(session: NearSession): void {
    this.#session = session;
    this.#state = "open";
    this.cache.streamOpened(this);
  }

  /** The stream was lost, replaced, drained or ended. */
  lost(): void {
    if (this.#state === "lost") return;
    this.#state = "lost";
    this.#session = null;
    this.#next?.cancel();
    this.#next = null;
    this.cache.streamLost(this);
  }

  /** Requests a lease. */
  requestLease(): void {
    this.#state = "asked";
    this.#send(new NearOpenOperation());
  }

  // Called by the session.

  /** Returns the get operation if a call about to be written must be a near get, otherwise null. */
  getOf(operation: Operation<unknown>): GetOperation | null {
    return this.#state === "near" && this.cache.selects(operation) ? operation : null;
  }

  /** A near get is written. */
  begin(operation: GetOperation): NearGet {
    return this.cache.begin(operation, this.number, this.#turnNow());
  }

  /** A near get has ended: with a response, its raw `ticket` and `ttlLeftMs`; or without a response (null). */
  getEnded(get: NearGet, response: Hit | Miss | null, ticket: number, ttlLeftMs: number): void {
    const { state } = this.cache;
    if (response === null) state.failed(get);
    else {
      const hit = response.result === "hit" ? response : null;
      state.answered(get, hit, ticket <= maxTicket ? ticket : 0, ttlLeftMs, this.#turnNow());
    }
  }

  /** Ends the turn in which data was written or read together. */
  turnOver(): void {
    this.#turnAt = -1;
  }

  invalidated(tickets: readonly number[]): void {
    this.cache.state.invalidated(this.number, tickets);
  }

  cleared(): void {
    this.cache.state.cleared(this.number);
  }

  // Results of its own two operations.

  admitted(): void {}

  expired(): void {}

  answered(_call: Call, response: unknown): void {
    if (this.#state === "asked") {
      const leaseMs = response as number;
      this.#state = "near";
      this.#renewMs = Math.max(minRenewMs, Math.min(maxRenewMs, leaseMs / 3));
      this.cache.state.opened(this.number, this.#sentAt, leaseMs);
    } else if (this.#state === "near") this.cache.state.renewed(this.number, this.#sentAt);
    this.#renewLater();
  }

  failed(_call: Call, failure: Failure): void {
    if (this.#state === "asked") {
      this.#state = "refused";
      this.cache.streamRefused(failure);
    }
    this.#renewLater();
  }

  #turnNow(): number {
    if (this.#turnAt < 0) this.#turnAt = this.cache.now();
    return this.#turnAt;
  }

  // One renewal at a time: no renewal follows one that is never acknowledged.
  #renewLater(since = this.#sentAt): void {
    if (this.#state !== "near") return;
    const waitMs = Math.max(0, since + this.#renewMs - this.cache.now());
    this.#next = scheduleInBackground(this.cache.clock, () => this.#renew(), waitMs);
  }

  #renew(): void {
    this.#next = null;
    if (this.#session!.hasRoom) this.#send(new NearRenewOperation());
    else this.#renewLater(this.cache.now());
  }

  #send(operation: Operation<unknown>): void {
    this.#sentAt = this.cache.now();
    const { clock } = this.cache;
    this.#session!.send(new Call(this, operation, () => {}, deadlineMs, clock.now() + deadlineMs));
  }
}
