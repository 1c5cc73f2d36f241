import { readFileSync } from "node:fs";

/** One call of a trace. If the call is a set, it also has a value and a TTL. */
export interface Step {
  readonly isRead: boolean;
  readonly key: string;
  readonly value: string;
  readonly ttlMs: number;
}

const mostLines = 5_000_000;
const mostBytes = 5_000_000;

/** A recorded sequence of calls to replay (conformance/AGENT.md, "Trace"). */
export class Trace {
  readonly #steps: Step[] = [];
  readonly #times: number[] = [];
  readonly #periodS: number;
  /** One set per key, with the value size of the key's first line in the trace. */
  readonly first: readonly Step[];
  #taken = 0;

  constructor(lines: readonly string[], ttlMs: number) {
    const values = new Map<string, string>();
    const first = new Map<string, Step>();
    lines.forEach((line, index) => {
      const fields = line.split(",");
      if (line === "" || (index === 0 && !Number.isFinite(Number.parseFloat(fields[0]!)))) return;
      const [time, op, key = "", size = "", ttl = ""] = fields;
      const at = Number(time);
      const bytes = whole(size);
      const live = ttl === "" ? ttlMs : whole(ttl);
      const good = fields.length >= 4 && fields.length <= 5 && (op === "get" || op === "set") && key !== "";
      if (!good || !(at >= (this.#times.at(-1) ?? at)) || !(bytes <= mostBytes) || !(live > 0) || index >= mostLines)
        throw new Error(
          `line ${index + 1} of the trace is invalid: '${line}'. Line format: 'time,get|set,key,size[,ttlMs]'. ` +
            `Times must not decrease. A trace has at most ${mostLines} lines`,
        );
      const name = `${bytes},${key}`;
      const value = values.get(name) ?? makeValue(key, bytes);
      values.set(name, value);
      const step = { isRead: op === "get", key, value, ttlMs: live };
      this.#steps.push(step);
      this.#times.push(at);
      if (!first.has(key)) first.set(key, step);
    });
    if (this.#steps.length === 0) throw new Error("the trace contains no call");
    this.first = [...first.values()];
    const spanS = this.#times.at(-1)! - this.#times[0]!;
    // The gap between the last call and the restart at the first call is the average gap.
    this.#periodS = spanS > 0 ? (spanS * this.#steps.length) / (this.#steps.length - 1) : 0;
  }

  /** Returns the next call. After the last call, the trace restarts at the first call. */
  next(): Step {
    return this.#steps[this.#taken++ % this.#steps.length]!;
  }

  /** Restarts the trace at the first call. */
  restart(): void {
    this.#taken = 0;
  }

  /**
   * Returns the time at which a call is due at a mean rate, in ms from the beginning. Calls are numbered from 0. When
   * the trace restarts at its first call, the numbers continue.
   */
  dueMs(number: number, ratePerSecond: number): number {
    const count = this.#steps.length;
    if (this.#periodS === 0) return (number * 1_000) / ratePerSecond;
    const passedS = Math.floor(number / count) * this.#periodS + this.#times[number % count]! - this.#times[0]!;
    return ((passedS / this.#periodS) * count * 1_000) / ratePerSecond;
  }
}

let last: { readonly path: string; readonly ttlMs: number; readonly trace: Trace } | undefined;

/** Reads a trace file. The last trace is cached, so that all rounds of a sweep share one trace. */
export function readTrace(path: string, ttlMs: number): Trace {
  if (last?.path !== path || last.ttlMs !== ttlMs)
    last = { path, ttlMs, trace: new Trace(readFileSync(path, "utf8").split(/\r?\n/), ttlMs) };
  return last.trace;
}

/**
 * Returns a value of `bytes` bytes that begins with its key. If the key is longer than the value, the key is truncated.
 */
export function makeValue(key: string, bytes: number): string {
  return (key + "v".repeat(Math.max(0, bytes - key.length))).slice(0, bytes);
}

function whole(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
