import type { Failure } from "../client/errors.js";
import type { Operation } from "../operations/operation.js";
import type { AbortWatch } from "./abort-watches.js";
import type { Expiring } from "./deadline-queue.js";
import type { Waiter } from "./in-flight-limiter.js";

/**
 * Where a call stands. `new → queued → sent ⇄ backingOff → done`, or `new → sent` past an empty queue; every state may
 * end in `done`. It has a place in the limiter's queue in `queued` only, and a permit in `sent` and `backingOff` only.
 */
export type CallState = "new" | "queued" | "sent" | "backingOff" | "done";

/** What happens to a call is told to its owner, once for each event. */
export interface CallOwner {
  admitted(call: Call): void;
  expired(call: Call): void;
  /** An attempt was answered; `isNear`: it was a near get, whose answer the near cache has seen (NEAR-24). */
  answered(call: Call, response: unknown, isNear?: boolean): void;
  /** An attempt failed. */
  failed(call: Call, failure: Failure): void;
}

/**
 * One call of a caller, from the moment it is made until its promise is settled. It is kept small: with 5,000 callers
 * waiting, what a call holds is what each scavenge of the collector copies, and that is a third of the time (ADR-0006).
 */
export class Call implements Waiter, Expiring {
  state: CallState = "new";
  waitingBefore: Waiter | null = null;
  waitingAfter: Waiter | null = null;
  expiresBefore: Expiring | null = null;
  expiresAfter: Expiring | null = null;
  /** From the call to its first attempt, in whole microseconds: an integer takes no memory of its own. */
  queuedUs = 0;
  /** Sends so far. */
  attempts = 0;
  /** What the transport knows this attempt by; while the call backs off, the task that will send it again. */
  handle: unknown = null;
  /** Its id on a pipeline stream, where `handle` is one. */
  id = 0;
  abort: AbortWatch<Call> | null = null;
  /** Of several gateways the one of the last attempt. No call of a client of one server has it, nor room for it. */
  declare gateway?: unknown;
  /** What a hook answered when it was made. No call has it where nobody listens. */
  declare started?: unknown;
  /** How often it was sent again with another token. No call has it whose token was not refused. */
  declare renewals?: number;

  constructor(
    readonly owner: CallOwner,
    readonly operation: Operation<unknown>,
    readonly resolve: (response: unknown) => void,
    readonly timeoutMs: number,
    public deadlineAt: number,
  ) {}

  /** When the caller asked, on the clock of `deadlineAt`. */
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
