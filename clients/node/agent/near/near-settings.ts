import { leastBytes } from "./near-value.js";

/** What a `near` request asks for (conformance/AGENT.md). */
export interface NearSettings {
  /** What the keys begin with; two runs of one cache have two. */
  readonly prefix: string;
  readonly keys: number;
  /** This process writes the keys k with k modulo `writers` = `index`; -1: none. */
  readonly index: number;
  readonly writers: number;
  readonly callers: number;
  /** Callers beside them that only try copies, and go on where there is none. */
  readonly peekers: number;
  /** Part of the calls that write. */
  readonly writeShare: number;
  /** Part of the others that are plain reads: with the hash, or in a batch. */
  readonly plainShare: number;
  /** Each version that this divides is a delete; 0: none is. */
  readonly deleteEvery: number;
  /** Each key k with k + 1 divisible by this lives `shortTtlMs`; 0: none does. */
  readonly shortEvery: number;
  readonly ttlMs: number;
  readonly shortTtlMs: number;
  readonly zipf: number;
  readonly valueBytes: number;
  readonly seconds: number;
  /** Before it everything is done, and nothing counted but what is wrong. */
  readonly warmupSeconds: number;
  /** Whether the time begins only when it is told to go. */
  readonly hold: boolean;
  /** Reads after which it ends, whatever the time. */
  readonly reads: number;
  /** Calls of a caller between two times that it lets others run. */
  readonly burst: number;
  /** How long it waits then; 0: as long as the others take. */
  readonly pauseMs: number;
  /** A key whose last write ended unknown is not written for so long, unless that write is seen. */
  readonly settleMs: number;
  readonly seed: number;
  /** Whether each key of this process is written once before the time begins. */
  readonly fill: boolean;
  /** The file for its records; absent: none are kept. */
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

/** Reads them from a request; a field that is out of its range is an Error. */
export function nearSettings(request: Readonly<Record<string, unknown>>): NearSettings {
  const numbers = Object.entries(ranges).map(([field, [otherwise, least, most]]) => {
    const value = request[field] ?? otherwise;
    if (typeof value !== "number" || !(value >= least && value <= most) || (field in whole && !Number.isInteger(value)))
      throw new Error(`${field} is ${least} to ${most}, not ${value}`);
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

/** Whether a key is of those that live short. */
export function isShort({ shortEvery }: NearSettings, key: number): boolean {
  return shortEvery > 0 && (key + 1) % shortEvery === 0;
}
