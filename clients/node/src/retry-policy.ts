import { backOffMs } from "./back-off.js";
import { type Failure, Status } from "./errors.js";

/** What is known of a call when one of its attempts has failed. */
export interface FailedAttempt {
  readonly failure: Failure;
  readonly idempotent: boolean;
  /** Sends so far, the failed one included. */
  readonly attempts: number;
  /** Time to the call's deadline. */
  readonly remainingMs: number;
}

// Tries after at most 80, 160, 320 ms and at least half of each: three outlast the 250 ms for which a server refuses
// calls after a pause (ADR-0003), and the first is well within the strictest deadline (500 ms).
const firstDelayMs = 80;
const mostDelayMs = 500;
// RETRY-6: each call earns a tenth of a retry.
const earnedByCall = 0.1;

/**
 * When to send a call again (protocol/spec/retry.md). A pure function of the failure, but for the budget: calls earn
 * tokens, retries spend them, and `reserve` is how many may be saved up. A broken connection fails every call in
 * flight on it at once, so the reserve is at least twice the cap.
 */
export class RetryPolicy {
  #tokens: number;

  constructor(
    private readonly maxRetries: number,
    private readonly reserve: number,
    private readonly random: () => number = Math.random,
  ) {
    this.#tokens = reserve;
  }

  /** A call was made: it earns its part of a retry. */
  called(): void {
    if (this.#tokens < this.reserve) this.#tokens += earnedByCall;
  }

  /** Milliseconds to wait before the call is sent again; null: it is not, the failure is the caller's. */
  decide(failed: FailedAttempt): number | null {
    if (failed.attempts > this.maxRetries || !mayRepeat(failed)) return null;
    const delayMs = backOffMs(failed.attempts, firstDelayMs, mostDelayMs, this.random);
    if (delayMs >= failed.remainingMs || this.#tokens < 1) return null;
    this.#tokens -= 1;
    return delayMs;
  }
}

function mayRepeat({ failure, idempotent }: FailedAttempt): boolean {
  if (failure.unreachable === true) return false;
  switch (failure.status) {
    case Status.unavailable:
    case Status.internal:
    case Status.cancelled:
      return idempotent || failure.notExecuted;
    default:
      return false;
  }
}
