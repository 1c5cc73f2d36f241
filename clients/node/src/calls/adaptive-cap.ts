/**
 * The counts of one window of calls. `calls` is at least 1. `spanMs` is the time from the end of the first call to the
 * evaluation.
 */
export interface CapCounts {
  readonly calls: number;
  /** The number of calls in the window that took longer than the target. */
  readonly over: number;
  /** The number of calls in the window that ended while other callers waited for a permit. */
  readonly waited: number;
  readonly meanMs: number;
  readonly leastMs: number;
  readonly spanMs: number;
}

/**
 * The state of the cap.
 *
 * - `steady`: the last window was within the budget of slow calls.
 * - `shrinking`: windows exceed the budget, and a smaller cap still helps.
 * - `outOfReach`: a smaller cap did not help. The state lasts until a window is within the budget again.
 */
export type AdaptiveCapState = "steady" | "shrinking" | "outOfReach";

/** A cap that was too large for the target, and the counts of the window that was measured with this cap. */
interface CapTrial {
  readonly limit: number;
  readonly counts: CapCounts;
  readonly callsPerSecond: number;
}

/** The initial cap. If the maximum is smaller, the initial cap is the maximum. */
export const initialCap = 16;
/**
 * The minimum age at which a window is evaluated. Without a minimum, a garbage collection of a few milliseconds could
 * affect all calls of a window.
 */
export const minWindowAgeMs = 100;

// In a window of 2,000 calls, two calls may exceed the target. In a smaller window, a single slow call could change the
// result of the evaluation.
const fullWindowCalls = 2_000;
const smallWindowCalls = 100;
const smallWindowAgeMs = 2_000;
const callsPerViolation = 1_000;
const initialPauseMs = 5_000;
const maxPauseMs = 40_000;
// If a smaller cap keeps at least this share of the throughput, no throughput counts as lost.
const minThroughputShare = 0.97;

/**
 * Adjusts the cap on requests in flight so that the p99.9 latency stays at a target
 * (protocol/spec/adaptive-cap.md).
 *
 * - If more than 1 call in 1,000 exceeds the target, the cap shrinks by a fifth.
 * - If fewer than 1 call in 2,000 exceeds the target and callers wait for permits, the cap grows.
 * - If a smaller cap costs throughput and does not improve the latency, the target is out of reach: the server is slow,
 *   but no calls wait in a queue at the server. The cap returns to the smallest value that kept the throughput, and
 *   keeps this value for a while.
 *
 * The class reads no clock. The caller passes the measured windows and the time.
 */
export class AdaptiveCap {
  #limit: number;
  #state: AdaptiveCapState = "steady";
  #fastGrowthLimit: number;
  #fastestCallMs = Number.POSITIVE_INFINITY;
  #pauseMs = initialPauseMs;
  #pauseUntilMs = Number.NEGATIVE_INFINITY;
  // The trials since the cap began to shrink. There are at most about fifty, because about fifty reductions by a fifth
  // lead from 100,000 to 1.
  #episode: CapTrial[] = [];

  /**
   * Creates a cap.
   * @param maximum - The maximum cap: at least 1.
   */
  constructor(private maximum: number) {
    this.#fastGrowthLimit = maximum;
    this.#limit = Math.min(initialCap, maximum);
  }

  /** Returns the current cap. */
  get limit(): number {
    return this.#limit;
  }
  get state(): AdaptiveCapState {
    return this.#state;
  }

  /** Returns whether a window with this number of calls is complete and can be evaluated (ADAPT-3). */
  isDue(calls: number, over: number, ageMs: number): boolean {
    if (ageMs < minWindowAgeMs) return false;
    // A small window also suffices if more than four times the allowed share of calls was slow. To be significant, the
    // window must contain at least two calls per permit.
    const beyondDoubt = over >= 4 && over * callsPerViolation > 4 * calls && calls >= 2 * this.#limit;
    return calls >= fullWindowCalls || beyondDoubt || (ageMs >= smallWindowAgeMs && calls >= smallWindowCalls);
  }

  /** Evaluates a window and updates the cap and the state. */
  evaluate(window: CapCounts, nowMs: number): void {
    this.#fastestCallMs = Math.min(this.#fastestCallMs, window.leastMs);
    if (window.over * callsPerViolation <= window.calls) this.#keepOrGrow(window);
    else if (nowMs >= this.#pauseUntilMs) this.#shrink(trialOf(this.#limit, window), nowMs);
  }

  /** Sets a new maximum. Called when calls switch to another transport, because that transport has another limit. */
  setMaximum(maximum: number): void {
    this.maximum = maximum;
    this.#limit = Math.min(this.#limit, maximum);
  }

  #keepOrGrow(window: CapCounts): void {
    this.#episode = [];
    this.#pauseMs = initialPauseMs;
    this.#pauseUntilMs = Number.NEGATIVE_INFINITY;
    this.#state = "steady";
    const wellUnder = 2 * window.over * callsPerViolation < window.calls;
    if (!wellUnder || 2 * window.waited < window.calls) return;
    const grown =
      this.#limit < this.#fastGrowthLimit
        ? Math.min(this.#fastGrowthLimit, this.#limit + Math.ceil(this.#limit / 2))
        : this.#limit + Math.ceil(this.#limit / 20);
    this.#limit = Math.min(this.maximum, grown);
  }

  #shrink(trial: CapTrial, nowMs: number): void {
    const before = this.#episode.at(-1);
    this.#episode.push(trial);
    const floor = this.#floor(trial);
    if ((before !== undefined && !isImprovement(before, trial)) || this.#limit === floor) {
      this.#stopShrinking(nowMs);
      return;
    }
    this.#limit = Math.max(floor, Math.floor((this.#limit * 4) / 5));
    if (this.#state === "steady") {
      this.#state = "shrinking";
      this.#fastGrowthLimit = 0;
    }
  }

  // Returns the minimum number of calls in flight that can reach this throughput. By Little's law, that is the
  // throughput multiplied by the duration of the shortest call ever measured.
  #floor(trial: CapTrial): number {
    return Math.min(Math.max(Math.ceil(trial.callsPerSecond * (this.#fastestCallMs / 1_000)), 1), this.#limit);
  }

  #stopShrinking(nowMs: number): void {
    // The server may recover soon. The cap then grows quickly, up to one step below the cap that was too large.
    if (this.#state !== "outOfReach") this.#fastGrowthLimit = Math.floor(((this.#episode[0]?.limit ?? 0) * 4) / 5);
    const best = Math.max(...this.#episode.map((trial) => trial.callsPerSecond));
    const keeping = this.#episode.filter((trial) => trial.callsPerSecond >= best * minThroughputShare);
    this.#limit = Math.min(...keeping.map((trial) => trial.limit));
    this.#episode = [];
    this.#state = "outOfReach";
    this.#pauseUntilMs = nowMs + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs);
  }
}

// The span of the window starts when its first call ends, so the first call is not counted.
function trialOf(limit: number, counts: CapCounts): CapTrial {
  return { limit, counts, callsPerSecond: ((counts.calls - 1) * 1_000) / Math.max(counts.spanMs, 0.001) };
}

/**
 * Returns whether the smaller cap was an improvement (ADAPT-8). It was if at least one of these conditions holds:
 *
 * - Clearly fewer calls exceed the target.
 * - The mean latency decreased by at least half as much as it would if calls only waited in a queue of the server.
 * - No throughput was lost.
 */
function isImprovement(larger: CapTrial, smaller: CapTrial): boolean {
  const fewer = smaller.counts.over / smaller.counts.calls < (larger.counts.over / larger.counts.calls) * 0.7;
  const quicker = 2 * larger.limit * smaller.counts.meanMs <= larger.counts.meanMs * (larger.limit + smaller.limit);
  return fewer || quicker || smaller.callsPerSecond >= larger.callsPerSecond * minThroughputShare;
}
