import { type Failure, Status } from "../client/errors.js";
import type { Configuration } from "../configuration/configuration.js";
import { backOffMs } from "./back-off.js";

/** A call whose last attempt has failed. */
export interface FailedAttempt {
  readonly failure: Failure;
  readonly idempotent: boolean;
  /** Number of attempts so far, including the failed attempt. */
  readonly attempts: number;
  /** Time until the call's deadline, in milliseconds. */
  readonly remainingMs: number;
}

// The retry budget is large enough to retry every call in flight, because a broken connection fails all of them
// (RETRY-12).
const minReserve = 100;
const reservePerPermit = 2;
const reserveWithoutCap = 20_000;

/** The settings for retries. */
export type RetrySettings = Pick<Configuration, "maxRetries" | "retryBudget" | "initialBackOffMs" | "maxBackOffMs">;

/**
 * Decides whether and when to retry a call (protocol/spec/retry.md). The decision depends only on the failed attempt
 * and on the retry budget. The budget is the number of retries that are currently allowed. It starts at its maximum.
 * Each call adds the setting `retryBudget`, which is a fraction of a retry, and each retry subtracts 1.
 */
export class RetryPolicy {
  readonly #reserve: number;
  #tokens: number;

  constructor(
    private readonly settings: RetrySettings,
    cap: number | "off",
    private readonly random: () => number = Math.random,
  ) {
    const reserve = cap === "off" ? reserveWithoutCap : Math.max(minReserve, cap * reservePerPermit);
    this.#reserve = settings.retryBudget > 0 ? reserve : 0;
    this.#tokens = this.#reserve;
  }

  /** Records a call, which adds the setting `retryBudget` to the budget. */
  called(): void {
    this.#tokens = Math.min(this.#reserve, this.#tokens + this.settings.retryBudget);
  }

  /** Returns the delay before the retry in milliseconds. Returns null if the call must not be retried. */
  decide(failed: FailedAttempt): number | null {
    const { maxRetries, initialBackOffMs, maxBackOffMs } = this.settings;
    if (failed.attempts > maxRetries || !isRetryable(failed)) return null;
    const delayMs = backOffMs(failed.attempts, initialBackOffMs, maxBackOffMs, this.random);
    if (delayMs >= failed.remainingMs || this.#tokens < 1) return null;
    this.#tokens -= 1;
    return delayMs;
  }
}

function isRetryable({ failure, idempotent }: FailedAttempt): boolean {
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
