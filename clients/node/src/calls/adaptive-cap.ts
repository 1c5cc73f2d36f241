/** A window of calls, as it is judged. `calls` is at least 1; `spanMs` is from the first call's end to the judgement. */
export interface CapCounts {
  readonly calls: number;
  /** Of them, those that took longer than the target. */
  readonly over: number;
  /** Of them, those that ended while others waited for a permit. */
  readonly waited: number;
  readonly meanMs: number;
  readonly leastMs: number;
  readonly spanMs: number;
}

/**
 * What is known of the target: the last window was within the budget; windows are over it and the cap shrinks as long
 * as that helps; it did not help, until a window is within the budget again.
 */
export type AdaptiveCapState = "steady" | "shrinking" | "outOfReach";

/** A cap that was too large for the target, and what it gave. */
interface CapTrial {
  readonly limit: number;
  readonly gave: CapCounts;
  readonly callsPerSecond: number;
}

/** The cap to begin with, where it may be that large. */
export const initialCap = 16;
/** No window is judged younger: a garbage collection of a few milliseconds is not a window. */
export const leastWindowAgeMs = 100;

// 2,000 calls hold two that may exceed the target: the fewest of which one more or less is no accident.
const fullCalls = 2_000;
const fewCalls = 100;
const fewCallsAgeMs = 2_000;
const callsPerViolation = 1_000;
const firstRestMs = 5_000;
const longestRestMs = 40_000;
// Part of the throughput that a cap must keep to count as no loss.
const kept = 0.97;

/**
 * Moves the cap on requests in flight so that p99.9 stays at a target (protocol/spec/adaptive-cap.md). More than 1 call
 * in 1,000 over it: shrink by a fifth. Fewer than half as many, and the cap in the way of callers: grow. Where shrinking
 * costs throughput and buys no latency, the target is out of reach (a slow server, not a queue): the cap goes back to
 * the smallest that kept the throughput, and rests. Pure: it is told what a window gave and when, and reads no clock.
 */
export class AdaptiveCap {
  #limit: number;
  #state: AdaptiveCapState = "steady";
  #quickBelow: number;
  #leastMs = Number.POSITIVE_INFINITY;
  #restMs = firstRestMs;
  #restUntilMs = Number.NEGATIVE_INFINITY;
  // At most as many as it takes fifths to get from 100,000 to 1: about fifty.
  #episode: CapTrial[] = [];

  /** `most`: the largest cap, at least 1. */
  constructor(private most: number) {
    this.#quickBelow = most;
    this.#limit = Math.min(initialCap, most);
  }

  /** The cap now. */
  get limit(): number {
    return this.#limit;
  }
  get state(): AdaptiveCapState {
    return this.#state;
  }

  /** Whether a window of this many calls is judged now (ADAPT-3). */
  isDue(calls: number, over: number, ageMs: number): boolean {
    if (ageMs < leastWindowAgeMs) return false;
    // Four times the budget is beyond doubt already after two rounds of all permits.
    const beyondDoubt = over >= 4 && over * callsPerViolation > 4 * calls && calls >= 2 * this.#limit;
    return calls >= fullCalls || beyondDoubt || (ageMs >= fewCallsAgeMs && calls >= fewCalls);
  }

  /** Judges a window: the cap may change, and the state. */
  judge(window: CapCounts, nowMs: number): void {
    this.#leastMs = Math.min(this.#leastMs, window.leastMs);
    if (window.over * callsPerViolation <= window.calls) this.#keepOrGrow(window);
    else if (nowMs >= this.#restUntilMs) this.#shrink(trialOf(this.#limit, window), nowMs);
  }

  /** Calls take another way from now on, which has another bound. */
  changeMost(most: number): void {
    this.most = most;
    this.#limit = Math.min(this.#limit, most);
  }

  #keepOrGrow(window: CapCounts): void {
    this.#episode = [];
    this.#restMs = firstRestMs;
    this.#restUntilMs = Number.NEGATIVE_INFINITY;
    this.#state = "steady";
    const wellUnder = 2 * window.over * callsPerViolation < window.calls;
    if (!wellUnder || 2 * window.waited < window.calls) return;
    const grown =
      this.#limit < this.#quickBelow
        ? Math.min(this.#quickBelow, this.#limit + Math.ceil(this.#limit / 2))
        : this.#limit + Math.ceil(this.#limit / 20);
    this.#limit = Math.min(this.most, grown);
  }

  #shrink(trial: CapTrial, nowMs: number): void {
    const before = this.#episode.at(-1);
    this.#episode.push(trial);
    const floor = this.#floor(trial);
    if ((before !== undefined && !helped(before, trial)) || this.#limit === floor) {
      this.#giveUp(nowMs);
      return;
    }
    this.#limit = Math.max(floor, Math.floor((this.#limit * 4) / 5));
    if (this.#state === "steady") {
      this.#state = "shrinking";
      this.#quickBelow = 0;
    }
  }

  // Little's law: fewer in flight than throughput × the least time that a call ever took cannot carry that throughput.
  #floor(trial: CapTrial): number {
    return Math.min(Math.max(Math.ceil(trial.callsPerSecond * (this.#leastMs / 1_000)), 1), this.#limit);
  }

  #giveUp(nowMs: number): void {
    // The server may be itself again soon: then back quickly, to a step below the cap that was too large.
    if (this.#state !== "outOfReach") this.#quickBelow = Math.floor(((this.#episode[0]?.limit ?? 0) * 4) / 5);
    const best = Math.max(...this.#episode.map((trial) => trial.callsPerSecond));
    const keeping = this.#episode.filter((trial) => trial.callsPerSecond >= best * kept);
    this.#limit = Math.min(...keeping.map((trial) => trial.limit));
    this.#episode = [];
    this.#state = "outOfReach";
    this.#restUntilMs = nowMs + this.#restMs;
    this.#restMs = Math.min(this.#restMs * 2, longestRestMs);
  }
}

// The first call's end begins the span, and is not in it.
function trialOf(limit: number, gave: CapCounts): CapTrial {
  return { limit, gave, callsPerSecond: ((gave.calls - 1) * 1_000) / Math.max(gave.spanMs, 0.001) };
}

/**
 * Whether a smaller cap was worth it (ADAPT-8): clearly fewer calls over the target, or at least half of the latency
 * that a pure queue would have given back, or no throughput lost.
 */
function helped(larger: CapTrial, smaller: CapTrial): boolean {
  const fewer = smaller.gave.over / smaller.gave.calls < (larger.gave.over / larger.gave.calls) * 0.7;
  const quicker = 2 * larger.limit * smaller.gave.meanMs <= larger.gave.meanMs * (larger.limit + smaller.limit);
  return fewer || quicker || smaller.callsPerSecond >= larger.callsPerSecond * kept;
}
