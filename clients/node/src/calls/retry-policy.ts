import { type Failure, Status } from "../client/errors.js";
import type { Configuration } from "../configuration/configuration.js";
import { backOffMs } from "./back-off.js";

/** What is known of a call when one of its attempts has failed. */
export interface FailedAttempt {
  readonly failure: Failure;
  readonly idempotent: boolean;
  /** Sends so far, the failed one included. */
  readonly attempts: number;
  /** Time to the call's deadline. */
  readonly remainingMs: number;
}

// What the budget holds: a broken connection fails every call in flight at once (RETRY-12).
const leastReserve = 100;
const reservePerPermit = 2;
const reserveWithoutCap = 20_000;

/** The settings that a retry is decided by. */
export type RetrySettings = Pick<Configuration, "maxRetries" | "retryBudget" | "initialBackOffMs" | "maxBackOffMs">;

/**
 * When to send a call again (protocol/spec/retry.md). A pure function of the failure, but for the budget: an account
 * that begins full, into which each call puts a part of a retry, and from which each retry takes one.
 */
export class RetryPolicy {
  readonly #reserve: number;
  #tokens: number;

  constructor(
    private readonly settings: RetrySettings,
    cap: number | "off",
    private readonly random: () => number = Math.random,
  ) {
    const reserve = cap === "off" ? reserveWithoutCap : Math.max(leastReserve, cap * reservePerPermit);
    this.#reserve = settings.retryBudget > 0 ? reserve : 0;
    this.#tokens = this.#reserve;
  }

  /** A call was made: it earns its part of a retry. */
  called(): void {
    this.#tokens = Math.min(this.#reserve, this.#tokens + this.settings.retryBudget);
  }

  /** Milliseconds to wait before the call is sent again; null: it is not, the failure is the caller's. */
  decide(failed: FailedAttempt): number | null {
    const { maxRetries, initialBackOffMs, maxBackOffMs } = this.settings;
    if (failed.attempts > maxRetries || !mayRepeat(failed)) return null;
    const delayMs = backOffMs(failed.attempts, initialBackOffMs, maxBackOffMs, this.random);
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
