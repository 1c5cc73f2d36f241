import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { largestIn } from "../agent/load/histogram.js";

/** The middle of what several rounds measured. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Counts of a histogram by index, as an agent answers them. */
export type Counts = readonly (readonly [index: number, count: number])[];

export function samplesOf(counts: Counts): number {
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

/** A quantile in milliseconds. */
export function quantileMs(counts: Counts, quantile: number): number {
  const target = Math.ceil(quantile * samplesOf(counts));
  let running = 0;
  const found = counts.find(([, count]) => {
    running += count;
    return running >= target;
  });
  return found === undefined ? 0 : largestIn(found[0]) / 1e6;
}

/** The samples of several histograms together. */
export function pooled(all: readonly Counts[]): Counts {
  const sums = new Map<number, number>();
  for (const counts of all) for (const [index, count] of counts) sums.set(index, (sums.get(index) ?? 0) + count);
  return [...sums].sort(([a], [b]) => a - b);
}

/** Where and when a result was measured: what its file begins with. */
export function facts(command: string): object {
  const commit = () => {
    try {
      return execFileSync("git", ["rev-parse", "--short", "HEAD"], { stdio: ["ignore", "pipe", "ignore"] })
        .toString()
        .trim();
    } catch {
      // Not in a checkout: the result says so.
      return "unknown";
    }
  };
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, client and server together`;
  return { command, date: new Date().toISOString().slice(0, 10), commit: commit(), node: process.version, machine };
}
