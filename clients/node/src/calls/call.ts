import type { Failure } from "../client/errors.js";
import type { Operation } from "../operations/operation.js";
import type { AbortWatch } from "./abort-watches.js";
import type { Expiring } from "./deadline-queue.js";
import type { Waiter } from "./in-flight-limiter.js";

/**
 * The state of a call: `new → queued → sent ⇄ backingOff → done`, or `new → sent` if the queue is empty. Every state
 * can change to `done`. A call is in the limiter's queue only in `queued`, and has a permit only in `sent` and
 * `backingOff`.
 */
export type CallState = "new" | "queued" | "sent" | "backingOff" | "done";

/** Receives a call's events, each exactly once. */
export interface CallOwner {
  admitted(call: Call): void;
  expired(call: Call): void;
  /** An attempt got its response. `isNear`: it was a near get, whose response the near cache has seen (NEAR-24). */
  answered(call: Call, response: unknown, isNear?: boolean): void;
  failed(call: Call, failure: Failure): void;
}

/**
 * One call, from its start until its promise settles. The object is kept small: with 5,000 waiting callers, every
 * scavenge of the garbage collector copies all of them, and that is a third of the time (ADR-0006).
 */
export class Call implements Waiter, Expiring {
  state: CallState = "new";
  waitingBefore: Waiter | null = null;
  waitingAfter: Waiter | null = null;
  expiresBefore: Expiring | null = null;
  expiresAfter: Expiring | null = null;
  /** Time from the start to the first attempt, in whole microseconds: a small integer needs no heap allocation. */
  queuedUs = 0;
  /** Number of sends so far. */
  attempts = 0;
  /** The transport's handle of this attempt. While the call backs off, the task that will send it again. */
  handle: unknown = null;
  /** The call's id on a pipeline stream, if `handle` is such a stream. */
  id = 0;
  abort: AbortWatch<Call> | null = null;
  /**
   * The gateway of the last attempt, if there are several. With a single server the property does not exist, which
   * saves memory.
   */
  declare gateway?: unknown;
  /** What the start hook returned. The property does not exist if there is no such hook. */
  declare started?: unknown;
  /** How often the call was sent again with another token. The property does not exist if no token was rejected. */
  declare renewals?: number;

  constructor(
    readonly owner: CallOwner,
    readonly operation: Operation<unknown>,
    readonly resolve: (response: unknown) => void,
    readonly timeoutMs: number,
    public deadlineAt: number,
  ) {}

  /** Returns when the call started, on the clock of `deadlineAt`. */
  get startedAt(): number {
    return this.deadlineAt - this.timeoutMs;
  }

  admitted(): void {
    this.owner.admitted(this);
  }
  expired(): void {
    this.owner.expired(this);
  }
}
