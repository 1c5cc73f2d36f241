import type { GuardedHooks } from "../telemetry/guarded-hooks.js";
import { AdaptiveCap, type AdaptiveCapState, minWindowAgeMs } from "./adaptive-cap.js";
import type { InFlightLimiter } from "./in-flight-limiter.js";

/** The maximum of an adaptive cap if no maximum is configured. */
export const defaultMaximum = 100_000;

/**
 * Connects an `AdaptiveCap` to the client. This class counts the calls that end, lets the cap evaluate each window of
 * calls, and sets the limiter's limit to the cap. A window can only end when a call ends, so no timer is needed.
 * Callers pass the time.
 */
export class AdaptiveLimiter {
  readonly #cap: AdaptiveCap;
  // Only calls that got their permit at or after this time are counted. Earlier calls ran with another cap (ADAPT-2).
  #countsFromMs: number;
  #begunAtMs: number;
  #calls = 0;
  #over = 0;
  #waited = 0;
  #sumMs = 0;
  #fastestCallMs = Number.POSITIVE_INFINITY;
  #firstEndedAtMs = 0;

  /**
   * Creates an adaptive limiter.
   * @param limiter - The limiter whose limit is set to the cap.
   * @param maximum - The maximum cap.
   * @param targetMs - The target for the time from a call's permit to its end. At most 1 call in 1,000 may exceed it.
   */
  constructor(
    private readonly limiter: InFlightLimiter,
    maximum: number | "off",
    private readonly targetMs: number,
    nowMs: number,
    private readonly hooks: GuardedHooks,
  ) {
    this.#cap = new AdaptiveCap(maximumOf(maximum));
    this.#countsFromMs = nowMs;
    this.#begunAtMs = nowMs;
    limiter.limit = this.#cap.limit;
  }

  get state(): AdaptiveCapState {
    return this.#cap.state;
  }

  /**
   * Records a call that has ended and has not returned its permit yet. A failed call is counted only if it exceeded the
   * target.
   */
  ended(grantedAtMs: number, nowMs: number, hasFailed: boolean): void {
    const tookMs = nowMs - grantedAtMs;
    const isOver = tookMs > this.targetMs;
    if (grantedAtMs < this.#countsFromMs || (hasFailed && !isOver)) return;
    if (this.#calls === 0) this.#firstEndedAtMs = nowMs;
    this.#calls++;
    this.#sumMs += tookMs;
    if (isOver) this.#over++;
    if (this.limiter.queued > 0) this.#waited++;
    if (tookMs < this.#fastestCallMs) this.#fastestCallMs = tookMs;
    const ageMs = nowMs - this.#begunAtMs;
    if (ageMs >= minWindowAgeMs && this.#cap.isDue(this.#calls, this.#over, ageMs)) this.#evaluate(nowMs);
  }

  /** Sets a new maximum. Called when calls switch to another transport, because that transport has another limit. */
  setMaximum(maximum: number | "off"): void {
    this.#cap.setMaximum(maximumOf(maximum));
    this.limiter.limit = this.#cap.limit;
  }

  #evaluate(nowMs: number): void {
    const { limit: from, state: before } = this.#cap;
    const counts = {
      calls: this.#calls,
      over: this.#over,
      waited: this.#waited,
      meanMs: this.#sumMs / this.#calls,
      leastMs: this.#fastestCallMs,
      spanMs: nowMs - this.#firstEndedAtMs,
    };
    this.#cap.evaluate(counts, nowMs);
    const { limit, state } = this.#cap;
    this.#begin(nowMs, limit !== from);
    if (limit !== from) this.limiter.limit = limit;
    const reached = (state === "outOfReach") !== (before === "outOfReach");
    if (limit !== from || reached)
      this.hooks.capChanged({ from, to: limit, targetMs: this.targetMs, outOfReach: state === "outOfReach" });
  }

  #begin(nowMs: number, changed: boolean): void {
    if (changed) this.#countsFromMs = nowMs;
    this.#begunAtMs = nowMs;
    this.#calls = 0;
    this.#over = 0;
    this.#waited = 0;
    this.#sumMs = 0;
    this.#fastestCallMs = Number.POSITIVE_INFINITY;
  }
}

function maximumOf(maximum: number | "off"): number {
  return maximum === "off" ? defaultMaximum : maximum;
}
