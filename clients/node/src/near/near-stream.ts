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
 * Where a stream stands: `new → open → asked → near`, and `asked → refused` where the server has no near cache for it;
 * every state may end in `lost`.
 */
type NearStreamState = "new" | "open" | "asked" | "near" | "refused" | "lost";

/** What a stream's near cache sends on it. */
export interface NearSession {
  readonly hasRoom: boolean;
  send(call: Call): void;
}

// NEAR-21: each second, or each third of the lease; of a lease that is no time at all, not at once again.
const mostRenewMs = 1_000;
const leastRenewMs = 10;
// Neither is any caller's, whose deadline it would be under: they end with their stream.
const deadlineMs = 3_600_000;
// NEAR-2: a ticket is below 2^20, and a result has it and 1.
const mostTicket = 1 << 20;

/** The near cache, as its streams see it. */
export interface NearStreamOwner {
  readonly state: NearState;
  readonly clock: Clock;
  /** Returns the near cache's time, in milliseconds. */
  now(): number;
  /** Returns whether a get of this operation is to be a near get. */
  wants(operation: Operation<unknown>): operation is GetOperation;
  /** Called when a near get is written at the time `at`. */
  begin(operation: GetOperation, stream: number, at: number): NearGet;
  streamOpened(stream: NearStream): void;
  streamLost(stream: NearStream): void;
  streamRefused(failure: Failure): void;
}

/** One pipeline stream as the near cache sees it: asks for its lease, renews it, and tells the cache what comes on it. */
export class NearStream implements CallOwner {
  #state: NearStreamState = "new";
  #session: NearSession | null = null;
  #sentAt = 0;
  #renewMs = mostRenewMs;
  #next: ScheduledTask | null = null;
  // The time of what is written or read together, asked for once: earlier than each of them, never later; -1: not yet.
  #turnAt = -1;

  constructor(
    private readonly cache: NearStreamOwner,
    /** Unique among the client's streams, over 0. */
    readonly number: number,
  ) {}

  /** Whether it is the near stream: gets on it are near. */
  get isNear(): boolean {
    return this.#state === "near";
  }

  /** It is, or may become, the near stream. */
  get isChosen(): boolean {
    return this.#state === "near" || this.#state === "asked";
  }

  /** It may be asked for a lease. */
  get isOpen(): boolean {
    return this.#state === "open" && this.#session!.hasRoom;
  }

  /** The stream is there, and nothing has been sent on it. */
  opened(session: NearSession): void {
    this.#session = session;
    this.#state = "open";
    this.cache.streamOpened(this);
  }

  /** The stream is lost, replaced, draining or at its end. */
  lost(): void {
    if (this.#state === "lost") return;
    this.#state = "lost";
    this.#session = null;
    this.#next?.cancel();
    this.#next = null;
    this.cache.streamLost(this);
  }

  /** Asks for a lease. */
  ask(): void {
    this.#state = "asked";
    this.#send(new NearOpenOperation());
  }

  // What the session tells.

  /** A call that is about to be written, where it is to be a near get. */
  getOf(operation: Operation<unknown>): GetOperation | null {
    return this.#state === "near" && this.cache.wants(operation) ? operation : null;
  }

  /** A near get is written. */
  begin(operation: GetOperation): NearGet {
    return this.cache.begin(operation, this.number, this.#turnNow());
  }

  /** A near get was answered, with `ticket` and `ttlLeftMs` as they came; null: it ended without an answer. */
  getEnded(get: NearGet, response: Hit | Miss | null, ticket: number, ttlLeftMs: number): void {
    const { state } = this.cache;
    if (response === null) state.failed(get);
    else {
      const hit = response.result === "hit" ? response : null;
      state.answered(get, hit, ticket <= mostTicket ? ticket : 0, ttlLeftMs, this.#turnNow());
    }
  }

  /** What was written or read together is over. */
  turnOver(): void {
    this.#turnAt = -1;
  }

  invalidated(tickets: readonly number[]): void {
    this.cache.state.invalidated(this.number, tickets);
  }

  cleared(): void {
    this.cache.state.cleared(this.number);
  }

  // What becomes of its own two operations.

  admitted(): void {}

  expired(): void {}

  answered(_call: Call, response: unknown): void {
    if (this.#state === "asked") {
      const leaseMs = response as number;
      this.#state = "near";
      this.#renewMs = Math.max(leastRenewMs, Math.min(mostRenewMs, leaseMs / 3));
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

  // One renewal at a time: one that is never answered is the last.
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
