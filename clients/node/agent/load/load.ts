import { Histogram } from "./histogram.js";
import type { Step } from "./trace.js";
import { seededRandom, Workload, type WorkloadRequest } from "./workload.js";

/**
 * A client under load. The load examines each response with the functions below immediately after the call, as an
 * application does.
 */
export interface LoadTarget {
  get(key: string): Promise<unknown>;
  set(key: string, value: string, ttlMs: number): Promise<unknown>;
  /** Returns the value that a call read, or null for a miss. Decodes the value to text, as an application does. */
  valueOf(response: unknown): string | null;
  /**
   * Returns the error code of a failed call, from its response or its rejection. Returns null if the call succeeded.
   */
  errorCode(response: unknown): string | null;
  connections(): number | null;
  /**
   * Calls `record` for each call with the time from the call's permit to the call's end, in nanoseconds. Calling `wire`
   * with null stops this. The method is absent if the client cannot measure this time.
   */
  wire?(record: ((ns: number) => void) | null): void;
}

/** The `load` request of conformance/AGENT.md. */
export interface LoadRequest {
  readonly callers: number;
  readonly seconds: number;
  readonly warmupSeconds?: number;
  readonly seed?: number;
  readonly openLoopRatePerSecond?: number;
  readonly arrivals?: "poisson" | "uniform";
  readonly verify?: boolean;
  readonly progress?: boolean;
  readonly wire?: boolean;
  readonly sliceMs?: number;
  readonly workload?: WorkloadRequest;
}

/** Wraps the reason of a rejected call, so that the reason can be distinguished from a response. */
class Rejected {
  constructor(readonly reason: unknown) {}
}

const lagIntervalMs = 10;
const sliceTimerMs = 10;
const preloadCallers = 100;

/** Runs one load and counts its results. */
export class Load {
  readonly #workload: Workload;
  readonly #histogram = new Histogram();
  readonly #serviceHistogram = new Histogram();
  readonly #lateHistogram = new Histogram();
  readonly #wireHistogram = new Histogram();
  readonly #errors: Record<string, number> = {};
  #requests = 0;
  #lateRequests = 0;
  #reads = 0;
  #hits = 0;
  #misses = 0;
  #crossed = 0;
  #unstarted = 0;
  readonly #slices: { endMs: number; counts: [number, number][] }[] = [];
  readonly #sliced = new Histogram().copyCounts();
  #measureFrom = Number.POSITIVE_INFINITY;
  #measureTo = Number.POSITIVE_INFINITY;

  constructor(
    private readonly target: LoadTarget,
    private readonly request: LoadRequest,
    private readonly progress: (figures: object) => void,
  ) {
    this.#workload = new Workload(request.workload);
  }

  /** Preloads the keys, warms up and measures. Returns the fields of the last response line. */
  async run(): Promise<object> {
    const { callers, seconds, warmupSeconds = 1, openLoopRatePerSecond } = this.request;
    if (this.#workload.preload) await this.#preload();
    const begin = performance.now();
    this.#measureFrom = begin + warmupSeconds * 1_000;
    this.#measureTo = this.#measureFrom + seconds * 1_000;
    const lag = new LagProbe();
    const progress = this.#startProgress();
    const slicing = this.#startSlices();
    if (this.request.wire === true)
      this.target.wire?.((ns) => {
        if (performance.now() >= this.#measureFrom) this.#wireHistogram.record(ns);
      });
    const cpu = { user: 0, system: 0 };
    const cpuTimers = [
      setTimeout(() => Object.assign(cpu, process.cpuUsage()), warmupSeconds * 1_000),
      setTimeout(() => Object.assign(cpu, process.cpuUsage(cpu)), (warmupSeconds + seconds) * 1_000),
    ];
    if (openLoopRatePerSecond === undefined)
      await Promise.all(Array.from({ length: callers }, (_, i) => this.#closedLoop(i)));
    else await this.#openLoop(begin, openLoopRatePerSecond);
    // If the calls end early, the timers are still pending. Therefore wait for the end of the measured time.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, this.#measureTo - performance.now()) + 1));
    clearInterval(progress);
    clearInterval(slicing);
    if (this.request.sliceMs !== undefined) this.#cut(this.#measureTo);
    this.target.wire?.(null);
    for (const timer of cpuTimers) clearTimeout(timer);
    return this.#report(cpu, lag.stop());
  }

  async #preload(): Promise<void> {
    const steps = this.#workload.everyKey();
    const loop = async () => {
      for (const { key, value, ttlMs } of steps) {
        const set = () => settled(this.target.set(key, value, ttlMs));
        if (this.#codeOf(await set()) === null) continue;
        const code = this.#codeOf(await set());
        if (code !== null) throw new Error(`the preload failed with ${code}`);
      }
    };
    await Promise.all(Array.from({ length: Math.min(preloadCallers, this.request.callers) }, loop));
  }

  async #closedLoop(caller: number): Promise<void> {
    const random = seededRandom((this.request.seed ?? 1) * 1_000_003 + caller);
    let from = performance.now();
    // Each caller is a single async function, as in an application. A second async function per call would double the
    // memory of a waiting call, and its cost would be attributed to the client.
    while (from < this.#measureTo) {
      const step = this.#workload.next(random);
      let response: unknown;
      try {
        response = await this.#send(step);
      } catch (error) {
        response = new Rejected(error);
      }
      const to = performance.now();
      this.#record(step, response, from, from, to);
      from = to;
    }
  }

  // The schedule of arrivals is fixed in advance. If no caller is free, an arrival waits until a caller becomes free.
  // When a call ends, it starts the calls that have become due. If no call is running, a timer of at least one
  // millisecond starts them. The delay of the timer is part of the latency, because polling without a pause would take
  // a whole CPU core.
  async #openLoop(begin: number, ratePerSecond: number): Promise<void> {
    const { callers, seed = 1 } = this.request;
    const random = seededRandom(seed);
    const dues = this.#dues(begin, ratePerSecond);
    let running = 0;
    // The time at which a caller last became free. If a call is due after this time and starts late, the generator
    // caused the delay.
    let freeSince = begin;
    let ended = () => {};
    let due = dues();
    const take = (now: number): void => {
      for (
        ;
        running < callers && due <= now && due < this.#measureTo && now < this.#measureTo;
        now = performance.now()
      ) {
        if (now >= this.#measureFrom && due >= freeSince) this.#lateHistogram.record((now - due) * 1e6);
        running++;
        void begun(due, now);
        due = dues();
      }
    };
    // Use a counter and one async function per call, because a set of promises would cost more than the call itself.
    const begun = async (callDue: number, from: number): Promise<void> => {
      const step = this.#workload.next(random);
      let response: unknown;
      try {
        response = await this.#send(step);
      } catch (error) {
        response = new Rejected(error);
      }
      const to = performance.now();
      this.#record(step, response, callDue, from, to);
      if (running-- === callers) freeSince = to;
      if (running === 0) ended();
      take(to);
    };
    for (let now = performance.now(); due < this.#measureTo && now < this.#measureTo; now = performance.now()) {
      take(now);
      await new Promise((resolve) =>
        setTimeout(resolve, Math.max(1, Math.min(due, this.#measureTo) - performance.now())),
      );
    }
    for (; due < this.#measureTo; due = dues()) this.#unstarted++;
    while (running > 0)
      await new Promise<void>((resolve) => {
        ended = resolve;
      });
  }

  /**
   * Returns a function that computes the time of the next arrival. The gaps between arrivals are exponential, equal, or
   * the gaps of a trace.
   */
  #dues(begin: number, ratePerSecond: number): () => number {
    const { arrivals = "poisson", seed = 1 } = this.request;
    const trace = this.#workload.trace;
    const random = seededRandom(seed + 1);
    const gapMs = 1_000 / ratePerSecond;
    let number = 0;
    let due = begin;
    if (trace !== null) return () => begin + trace.dueMs(number++, ratePerSecond);
    return () => {
      due += arrivals === "uniform" ? gapMs : -Math.log(1 - random()) * gapMs;
      return due;
    };
  }

  #send(step: Step): Promise<unknown> {
    return step.isRead ? this.target.get(step.key) : this.target.set(step.key, step.value, step.ttlMs);
  }

  #record(step: Step, response: unknown, due: number, from: number, to: number): void {
    const { isRead, key } = step;
    if (to < this.#measureFrom) return;
    if (to < this.#measureTo) this.#requests++;
    else this.#lateRequests++;
    this.#histogram.record((to - due) * 1e6);
    if (this.request.openLoopRatePerSecond !== undefined) this.#serviceHistogram.record((to - from) * 1e6);
    if (isRead) this.#reads++;
    const code = this.#codeOf(response);
    if (code !== null) this.#errors[code] = (this.#errors[code] ?? 0) + 1;
    else if (isRead) this.#count(key, this.target.valueOf(response));
  }

  #count(key: string, value: string | null): void {
    if (value === null) this.#misses++;
    else {
      this.#hits++;
      if (this.request.verify === true && !this.#workload.belongs(key, value)) this.#crossed++;
    }
  }

  #codeOf(response: unknown): string | null {
    return response instanceof Rejected
      ? (this.target.errorCode(response.reason) ?? "Unknown")
      : this.target.errorCode(response);
  }

  #startProgress(): NodeJS.Timeout | undefined {
    if (this.request.progress === false) return undefined;
    let second = -1;
    let before: Float64Array | undefined;
    let counted = { requests: 0, errors: 0, hits: 0, misses: 0 };
    return setInterval(() => {
      const now = performance.now();
      if (now < this.#measureFrom + (second + 1) * 1_000 || now > this.#measureTo + 50) return;
      second++;
      const all = { requests: this.#requests, errors: this.#errorCount(), hits: this.#hits, misses: this.#misses };
      // The first line marks the beginning of the measured time, so its counts are zero.
      const quantiles = second === 0 ? [0, 0, 0, 0] : this.#histogram.quantilesUs([0.5, 0.99, 0.999, 1], before);
      const [p50Us, p99Us, p999Us, maxUs] = quantiles;
      this.progress({
        second,
        requests: all.requests - counted.requests,
        errors: all.errors - counted.errors,
        hits: all.hits - counted.hits,
        misses: all.misses - counted.misses,
        ...{ p50Us, p99Us, p999Us, maxUs },
      });
      before = this.#histogram.copyCounts();
      counted = all;
    }, 20);
  }

  /** Starts to divide the measured time into slices. The last slice is ended later, when all calls have ended. */
  #startSlices(): NodeJS.Timeout | undefined {
    const { sliceMs } = this.request;
    if (sliceMs === undefined) return undefined;
    if (!(sliceMs >= 20 && sliceMs <= 60_000)) throw new Error(`sliceMs must be from 20 to 60,000, not ${sliceMs}`);
    let end = this.#measureFrom + sliceMs;
    return setInterval(() => {
      const now = performance.now();
      if (now < end || end >= this.#measureTo) return;
      this.#cut(now);
      end += sliceMs;
    }, sliceTimerMs);
  }

  #cut(now: number): void {
    const endMs = Math.round((now - this.#measureFrom) * 10) / 10;
    this.#slices.push({ endMs, counts: this.#histogram.cellsSince(this.#sliced) });
  }

  #errorCount(): number {
    return Object.values(this.#errors).reduce((sum, count) => sum + count, 0);
  }

  #report(cpu: { user: number; system: number }, lagUs: object): object {
    const { callers, seconds, openLoopRatePerSecond } = this.request;
    return {
      callers,
      seconds,
      requests: this.#requests,
      lateRequests: this.#lateRequests,
      reads: this.#reads,
      writes: this.#requests + this.#lateRequests - this.#reads,
      hits: this.#hits,
      misses: this.#misses,
      errors: this.#errors,
      crossed: this.#crossed,
      histogram: this.#histogram.toJson(),
      serviceHistogram: openLoopRatePerSecond === undefined ? null : this.#serviceHistogram.toJson(),
      lateHistogram: openLoopRatePerSecond === undefined ? null : this.#lateHistogram.toJson(),
      wireHistogram: this.#wireHistogram.total === 0 ? null : this.#wireHistogram.toJson(),
      slices: this.request.sliceMs === undefined ? null : this.#slices,
      bytesAllocatedPerCall: null,
      clientCpuSeconds: (cpu.user + cpu.system) / 1e6,
      residentBytes: process.memoryUsage.rss(),
      connections: this.target.connections(),
      lagUs,
      unstarted: this.#unstarted,
    };
  }
}

function settled(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => new Rejected(error));
}

/** Measures the lag of the event loop: schedules an immediate every 10 ms and records how late the immediate runs. */
class LagProbe {
  readonly #histogram = new Histogram();
  readonly #timer = setInterval(() => {
    const asked = performance.now();
    setImmediate(() => this.#histogram.record((performance.now() - asked) * 1e6));
  }, lagIntervalMs);

  stop(): object {
    clearInterval(this.#timer);
    const [p50, p99] = this.#histogram.quantilesUs([0.5, 0.99]);
    return { p50, p99, max: this.#histogram.maxNs / 1_000 };
  }
}
