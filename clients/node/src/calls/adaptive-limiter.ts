import type { GuardedHooks } from "../telemetry/guarded-hooks.js";
import { AdaptiveCap, type AdaptiveCapState, leastWindowAgeMs } from "./adaptive-cap.js";
import type { InFlightLimiter } from "./in-flight-limiter.js";

/** The largest cap that an adaptive one takes where none is configured. */
export const mostInFlight = 100_000;

/**
 * Where an `AdaptiveCap` meets the client: counts the calls that end, has the cap judge each window, and moves the
 * limiter's limit. Told the time by who has it at hand; windows end with a call, so that there is no timer.
 */
export class AdaptiveLimiter {
  readonly #cap: AdaptiveCap;
  // Calls granted before the last change say nothing about the cap (ADAPT-2).
  #countsFromMs: number;
  #begunAtMs: number;
  #calls = 0;
  #over = 0;
  #waited = 0;
  #sumMs = 0;
  #leastMs = Number.POSITIVE_INFINITY;
  #firstEndedAtMs = 0;

  /** `limiter`'s limit becomes the cap's; `target`: time from permit to end that at most 1 call in 1,000 may exceed. */
  constructor(
    private readonly limiter: InFlightLimiter,
    most: number | "off",
    private readonly targetMs: number,
    nowMs: number,
    private readonly hooks: GuardedHooks,
  ) {
    this.#cap = new AdaptiveCap(bounded(most));
    this.#countsFromMs = nowMs;
    this.#begunAtMs = nowMs;
    limiter.limit = this.#cap.limit;
  }

  get state(): AdaptiveCapState {
    return this.#cap.state;
  }

  /** A call that held a permit has ended, and has not given it back yet; with an error it counts only where slow. */
  ended(grantedAtMs: number, nowMs: number, hasFailed: boolean): void {
    const tookMs = nowMs - grantedAtMs;
    const isOver = tookMs > this.targetMs;
    if (grantedAtMs < this.#countsFromMs || (hasFailed && !isOver)) return;
    if (this.#calls === 0) this.#firstEndedAtMs = nowMs;
    this.#calls++;
    this.#sumMs += tookMs;
    if (isOver) this.#over++;
    if (this.limiter.queued > 0) this.#waited++;
    if (tookMs < this.#leastMs) this.#leastMs = tookMs;
    const ageMs = nowMs - this.#begunAtMs;
    if (ageMs >= leastWindowAgeMs && this.#cap.isDue(this.#calls, this.#over, ageMs)) this.#judge(nowMs);
  }

  /** Calls take another way from now on, which has another bound. */
  changeMost(most: number | "off"): void {
    this.#cap.changeMost(bounded(most));
    this.limiter.limit = this.#cap.limit;
  }

  #judge(nowMs: number): void {
    const { limit: from, state: before } = this.#cap;
    const counts = {
      calls: this.#calls,
      over: this.#over,
      waited: this.#waited,
      meanMs: this.#sumMs / this.#calls,
      leastMs: this.#leastMs,
      spanMs: nowMs - this.#firstEndedAtMs,
    };
    this.#cap.judge(counts, nowMs);
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
    this.#leastMs = Number.POSITIVE_INFINITY;
  }
}

function bounded(most: number | "off"): number {
  return most === "off" ? mostInFlight : most;
}
