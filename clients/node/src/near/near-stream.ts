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
 * The state of a stream. A stream starts as `new`, is `open` when it can send operations, and is `asked` after it has
 * requested the lease of the near cache. It is then `near` if the server grants the lease, and `refused` if the request
 * fails. Every state can change to `lost`.
 */
type NearStreamState = "new" | "open" | "asked" | "near" | "refused" | "lost";

/** Sends the near cache's own operations on a stream. */
export interface NearSession {
  readonly hasRoom: boolean;
  send(call: Call): void;
}

// NEAR-21: the lease is renewed every second, or after a third of the lease if that is shorter. The minimum interval
// prevents a busy loop if the lease is very short.
const maxRenewMs = 1_000;
const minRenewMs = 10;
// The timeout of the near cache's own operations. It can be long, because no caller waits for these operations and the
// end of their stream also ends them.
const deadlineMs = 3_600_000;
// NEAR-2: a ticket is below 2^20. A result contains ticket + 1.
const maxTicket = 1 << 20;

/** The methods of the near cache that its streams use. */
export interface NearStreamOwner {
  readonly state: NearState;
  readonly clock: Clock;
  /** Returns the time of the near cache's clock, in milliseconds. */
  now(): number;
  /** Returns whether an operation is a get that must be sent as a near get. */
  selects(operation: Operation<unknown>): operation is GetOperation;
  /** Called when a near get is written to a stream at the time `at`. */
  begin(operation: GetOperation, stream: number, at: number): NearGet;
  streamOpened(stream: NearStream): void;
  streamLost(stream: NearStream): void;
  streamRefused(failure: Failure): void;
}

/**
 * The near-cache side of one pipeline stream. It requests the stream's lease, renews it, and passes the stream's
 * messages to the near cache.
 */
export class NearStream implements CallOwner {
  #state: NearStreamState = "new";
  #session: NearSession | null = null;
  #sentAt = 0;
  #renewMs = maxRenewMs;
  #next: ScheduledTask | null = null;
  // The time for all data that is written or read in the current event-loop turn. It is read when the turn first needs
  // it, so it is never later than the actual time. -1 if this turn has not read it yet.
  #turnAt = -1;

  constructor(
    private readonly cache: NearStreamOwner,
    /** The number that identifies the stream. It is above 0 and unique among the streams of the client. */
    readonly number: number,
  ) {}

  /** Returns whether this stream is the near stream: the stream that has the lease and sends gets as near gets. */
  get isNear(): boolean {
    return this.#state === "near";
  }

  /** Returns whether this stream is the near stream or has requested to become it. */
  get isChosen(): boolean {
    return this.#state === "near" || this.#state === "asked";
  }

  /** Returns whether a lease may be requested on this stream. */
  get isOpen(): boolean {
    return this.#state === "open" && this.#session!.hasRoom;
  }

  /** Called when the stream is open, before anything is sent on it. */
  opened(session: NearSession): void {
    this.#session = session;
    this.#state = "open";
    this.cache.streamOpened(this);
  }

  /** Called when the stream was lost, replaced, drained or ended. */
  lost(): void {
    if (this.#state === "lost") return;
    this.#state = "lost";
    this.#session = null;
    this.#next?.cancel();
    this.#next = null;
    this.cache.streamLost(this);
  }

  /** Requests a lease for this stream. */
  requestLease(): void {
    this.#state = "asked";
    this.#send(new NearOpenOperation());
  }

  // Methods that the session calls.

  /** Returns the operation if it must be written as a near get, otherwise null. Called before a call is written. */
  getOf(operation: Operation<unknown>): GetOperation | null {
    return this.#state === "near" && this.cache.selects(operation) ? operation : null;
  }

  /** Called when a near get is written. */
  begin(operation: GetOperation): NearGet {
    return this.cache.begin(operation, this.number, this.#turnNow());
  }

  /**
   * Called when a near get has ended. If it ended without a response, `response` is null. Otherwise `ticket` and
   * `ttlLeftMs` are the unchecked values of these fields in the response.
   */
  getEnded(get: NearGet, response: Hit | Miss | null, ticket: number, ttlLeftMs: number): void {
    const { state } = this.cache;
    if (response === null) state.failed(get);
    else {
      const hit = response.result === "hit" ? response : null;
      state.answered(get, hit, ticket <= maxTicket ? ticket : 0, ttlLeftMs, this.#turnNow());
    }
  }

  /** Called when an event-loop turn ends. All reads and writes of one turn have the same time. */
  turnOver(): void {
    this.#turnAt = -1;
  }

  invalidated(tickets: readonly number[]): void {
    this.cache.state.invalidated(this.number, tickets);
  }

  cleared(): void {
    this.cache.state.cleared(this.number);
  }

  // Methods for the results of the two operations of this class: requesting and renewing the lease.

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

  // Schedules the next renewal. Called only when no renewal is in flight, so there is at most one renewal at a time. If
  // a renewal never ends, no other renewal follows.
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
