import type { Failure } from "../client/errors.js";
import type { Operation } from "../operations/operation.js";
import type { AbortWatch } from "./abort-watches.js";
import type { Expiring } from "./deadline-queue.js";
import type { Waiter } from "./in-flight-limiter.js";

/**
 * The state of a call: `new → queued → sent ⇄ backingOff → done`. If the queue is empty, `new` changes to `sent`. Every
 * state can change to `done`. A call is in the limiter's queue only in the state `queued`. It has a permit only in
 * `sent` and `backingOff`.
 */
export type CallState = "new" | "queued" | "sent" | "backingOff" | "done";

/** Receives the events of a call. Each event is reported exactly once. */
export interface CallOwner {
  admitted(call: Call): void;
  expired(call: Call): void;
  /**
   * Called when an attempt has received its response. `isNear` is true if the call was a near get and the near cache
   * has already handled the response (NEAR-24).
   */
  answered(call: Call, response: unknown, isNear?: boolean): void;
  failed(call: Call, failure: Failure): void;
}

/**
 * One call, from its start until its promise settles. The object is kept small, because each scavenge of the garbage
 * collector copies the objects of all waiting calls. When the objects were larger, the collector used a third of the
 * CPU time with 5,000 waiting calls (measurements of ADR-0006).
 */
export class Call implements Waiter, Expiring {
  state: CallState = "new";
  waitingBefore: Waiter | null = null;
  waitingAfter: Waiter | null = null;
  expiresBefore: Expiring | null = null;
  expiresAfter: Expiring | null = null;
  /**
   * Time from the start to the first attempt, in whole microseconds. V8 stores a small integer without a heap
   * allocation.
   */
  queuedUs = 0;
  /** Number of attempts so far. */
  attempts = 0;
  /**
   * The transport's handle of the current attempt. While the call backs off, this is the task that will send the call
   * again.
   */
  handle: unknown = null;
  /** The call's id on its pipeline stream, if `handle` is a pipeline stream. */
  id = 0;
  abort: AbortWatch<Call> | null = null;
  /** The gateway of the last attempt. With a single server, the property does not exist, which saves memory. */
  declare gateway?: unknown;
  /** The return value of the start hook. The property does not exist if there is no such hook. */
  declare started?: unknown;
  /**
   * The number of times that the call was sent again with another token. The property does not exist if no token was
   * rejected.
   */
  declare renewals?: number;

  constructor(
    readonly owner: CallOwner,
    readonly operation: Operation<unknown>,
    readonly resolve: (response: unknown) => void,
    readonly timeoutMs: number,
    public deadlineAt: number,
  ) {}

  /** Returns when the call started, on the same clock as `deadlineAt`. */
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
