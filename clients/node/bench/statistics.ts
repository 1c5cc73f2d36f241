import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { largestIn } from "../agent/load/histogram.js";

/** Returns the median of the values. If there are two middle values, returns the upper one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** The buckets of a histogram that a load agent returned. Each pair contains the index and the count of a bucket. */
export type Counts = readonly (readonly [index: number, count: number])[];

export function samplesOf(counts: Counts): number {
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

/** Returns a quantile in milliseconds. */
export function quantileMs(counts: Counts, quantile: number): number {
  const target = Math.ceil(quantile * samplesOf(counts));
  let running = 0;
  const found = counts.find(([, count]) => {
    running += count;
    return running >= target;
  });
  return found === undefined ? 0 : largestIn(found[0]) / 1e6;
}

/** Merges the samples of several histograms. */
export function pooled(all: readonly Counts[]): Counts {
  const sums = new Map<number, number>();
  for (const counts of all) for (const [index, count] of counts) sums.set(index, (sums.get(index) ?? 0) + count);
  return [...sums].sort(([a], [b]) => a - b);
}

/** Returns the command, date, commit and machine of a measurement, for the beginning of its results file. */
export function facts(command: string): object {
  const commit = () => {
    try {
      return execFileSync("git", ["rev-parse", "--short", "HEAD"], { stdio: ["ignore", "pipe", "ignore"] })
        .toString()
        .trim();
    } catch {
      // Not in a git checkout.
      return "unknown";
    }
  };
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, client and server together`;
  return { command, date: new Date().toISOString().slice(0, 10), commit: commit(), node: process.version, machine };
}
