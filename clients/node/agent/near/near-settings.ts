import { leastBytes } from "./near-value.js";

/** The settings of a `near` request (conformance/AGENT.md). */
export interface NearSettings {
  /** The prefix of the keys. Two runs on the same cache use different prefixes. */
  readonly prefix: string;
  readonly keys: number;
  /**
   * This process writes the keys k for which k modulo `writers` equals `index`. If `index` is -1, it writes no keys.
   */
  readonly index: number;
  readonly writers: number;
  readonly callers: number;
  /**
   * The number of additional callers that read only local copies. If there is no copy, they continue with another key.
   */
  readonly peekers: number;
  /** The share of the calls that are writes. */
  readonly writeShare: number;
  /** The share of the reads that bypass the near cache, because they request the hash or are batches. */
  readonly plainShare: number;
  /** Each version that is divisible by this number is a delete. If the number is 0, there are no deletes. */
  readonly deleteEvery: number;
  /**
   * Each key k for which k + 1 is divisible by this number has the TTL `shortTtlMs`. If the number is 0, no key has
   * that TTL.
   */
  readonly shortEvery: number;
  readonly ttlMs: number;
  readonly shortTtlMs: number;
  readonly zipf: number;
  readonly valueBytes: number;
  readonly seconds: number;
  /** The duration of the warm-up. During the warm-up only violations are counted. */
  readonly warmupSeconds: number;
  /** Whether the run waits for a command before the measured time begins. */
  readonly hold: boolean;
  /** The maximum number of reads. The run ends after these reads, even before its time is over. */
  readonly reads: number;
  /** The number of calls after which a caller yields to the event loop. */
  readonly burst: number;
  /**
   * The time in milliseconds that a caller waits after a burst. If it is 0, the caller waits for one turn of the event
   * loop.
   */
  readonly pauseMs: number;
  /**
   * After a write with an unknown outcome, the key is not written for this time in milliseconds, unless a read returns
   * the value of that write.
   */
  readonly settleMs: number;
  readonly seed: number;
  /** Whether each key of this process is written once before the measured time begins. */
  readonly fill: boolean;
  /** The path of the file for the records. If it is undefined, nothing is recorded. */
  readonly records?: string;
}

type Range = readonly [otherwise: number, least: number, most: number];

const whole: Readonly<Record<string, Range>> = {
  keys: [1_000, 1, 1_000_000],
  index: [-1, -1, 1_000],
  writers: [1, 1, 1_000],
  callers: [16, 1, 10_000],
  peekers: [0, 0, 10_000],
  deleteEvery: [16, 0, 1_000_000],
  shortEvery: [16, 0, 1_000_000],
  valueBytes: [100, leastBytes, 1 << 20],
  reads: [Number.MAX_SAFE_INTEGER, 1, Number.MAX_SAFE_INTEGER],
  burst: [64, 1, 1_000_000],
  seed: [1, 0, Number.MAX_SAFE_INTEGER],
};
const ranges: Readonly<Record<string, Range>> = {
  ...whole,
  writeShare: [0.1, 0, 1],
  plainShare: [0.05, 0, 1],
  ttlMs: [3_600_000, 1, 86_400_000],
  shortTtlMs: [1_500, 1, 86_400_000],
  zipf: [0, 0, 10],
  seconds: [10, 0.01, 86_400],
  warmupSeconds: [0, 0, 3_600],
  pauseMs: [0, 0, 60_000],
  settleMs: [60_000, 0, 86_400_000],
};

/** Parses the settings of a request. Throws if a field is out of range. */
export function nearSettings(request: Readonly<Record<string, unknown>>): NearSettings {
  const numbers = Object.entries(ranges).map(([field, [otherwise, least, most]]) => {
    const value = request[field] ?? otherwise;
    if (typeof value !== "number" || !(value >= least && value <= most) || (field in whole && !Number.isInteger(value)))
      throw new Error(`${field} must be from ${least} to ${most}, not ${value}`);
    return [field, value] as const;
  });
  const { prefix = "near", fill = true, hold, records } = request;
  return {
    ...Object.fromEntries(numbers),
    prefix: String(prefix),
    fill: fill === true,
    hold: hold === true,
    ...(typeof records === "string" ? { records } : {}),
  } as unknown as NearSettings;
}

/** Returns whether a key has the short TTL. */
export function isShort({ shortEvery }: NearSettings, key: number): boolean {
  return shortEvery > 0 && (key + 1) % shortEvery === 0;
}
