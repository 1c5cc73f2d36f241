/** Counts of one window of calls. `calls` is at least 1; `spanMs` is from the first call's end to the evaluation. */
export interface CapCounts {
  readonly calls: number;
  /** Number of these calls that took longer than the target. */
  readonly over: number;
  /** Number of these calls that ended while others waited for a permit. */
  readonly waited: number;
  readonly meanMs: number;
  readonly leastMs: number;
  readonly spanMs: number;
}

/**
 * The state of the cap.
 *
 * - `steady`: the last window was within the budget.
 * - `shrinking`: windows are over the budget, and shrinking the cap still helps.
 * - `outOfReach`: shrinking did not help. Lasts until a window is within the budget again.
 */
export type AdaptiveCapState = "steady" | "shrinking" | "outOfReach";

/** A cap that was too large for the target, and the window measured with it. */
interface CapTrial {
  readonly limit: number;
  readonly counts: CapCounts;
  readonly callsPerSecond: number;
}

/** The initial cap, unless the maximum is smaller. */
export const initialCap = 16;
/**
 * The minimum age of a window that is evaluated. It keeps a garbage collection of a few milliseconds from filling a
 * window.
 */
export const minWindowAgeMs = 100;

// Of 2,000 calls, two may exceed the target: the smallest allowance for which one call more or less is not noise.
const fullWindowCalls = 2_000;
const smallWindowCalls = 100;
const smallWindowAgeMs = 2_000;
const callsPerViolation = 1_000;
const initialPauseMs = 5_000;
const maxPauseMs = 40_000;
// The share of the throughput that a smaller cap must keep to count as no loss.
const minThroughputShare = 0.97;

/**
 * Adjusts the cap on requests in flight so that p99.9 stays at a target (protocol/spec/adaptive-cap.md).
 *
 * - More than 1 call in 1,000 is over the target: the cap shrinks by a fifth.
 * - Fewer than half as many are over it, and callers wait for permits: the cap grows.
 * - Shrinking costs throughput and does not improve latency: the target is out of reach, because the server is slow and
 *   there is no queue. The cap returns to the smallest value that kept the throughput, and then pauses.
 *
 * The class reads no clock: the caller passes the measured windows and the time.
 */
export class AdaptiveCap {
  #limit: number;
  #state: AdaptiveCapState = "steady";
  #fastGrowthLimit: number;
  #fastestCallMs = Number.POSITIVE_INFINITY;
  #pauseMs = initialPauseMs;
  #pauseUntilMs = Number.NEGATIVE_INFINITY;
  // About fifty entries at most: the number of steps of one fifth from 100,000 to 1.
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

  /** Returns whether a window of this many calls is complete and can be evaluated (ADAPT-3). */
  isDue(calls: number, over: number, ageMs: number): boolean {
    if (ageMs < minWindowAgeMs) return false;
    // After two rounds of all permits, four times the budget is already significant.
    const beyondDoubt = over >= 4 && over * callsPerViolation > 4 * calls && calls >= 2 * this.#limit;
    return calls >= fullWindowCalls || beyondDoubt || (ageMs >= smallWindowAgeMs && calls >= smallWindowCalls);
  }

  /** Evaluates a window and updates the cap and the state. */
  evaluate(window: CapCounts, nowMs: number): void {
    this.#fastestCallMs = Math.min(this.#fastestCallMs, window.leastMs);
    if (window.over * callsPerViolation <= window.calls) this.#keepOrGrow(window);
    else if (nowMs >= this.#pauseUntilMs) this.#shrink(trialOf(this.#limit, window), nowMs);
  }

  /** Sets a new maximum when calls switch to another transport, which has another limit. */
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

  // Little's law: throughput × the shortest call ever seen is the minimum number in flight that can carry that
  // throughput.
  #floor(trial: CapTrial): number {
    return Math.min(Math.max(Math.ceil(trial.callsPerSecond * (this.#fastestCallMs / 1_000)), 1), this.#limit);
  }

  #stopShrinking(nowMs: number): void {
    // The server may recover soon. The cap then grows back quickly, up to one step below the cap that was too large.
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

// The end of the first call starts the span, so that call is not counted.
function trialOf(limit: number, counts: CapCounts): CapTrial {
  return { limit, counts, callsPerSecond: ((counts.calls - 1) * 1_000) / Math.max(counts.spanMs, 0.001) };
}

/**
 * Returns whether the smaller cap was worth it (ADAPT-8). One of these must hold: clearly fewer calls over the target,
 * at least half of the latency gain that a pure queue would give, or no loss of throughput.
 */
function isImprovement(larger: CapTrial, smaller: CapTrial): boolean {
  const fewer = smaller.counts.over / smaller.counts.calls < (larger.counts.over / larger.counts.calls) * 0.7;
  const quicker = 2 * larger.limit * smaller.counts.meanMs <= larger.counts.meanMs * (larger.limit + smaller.limit);
  return fewer || quicker || smaller.callsPerSecond >= larger.callsPerSecond * minThroughputShare;
}
