import { makeValue, readTrace, type Step, type Trace } from "./trace.js";

type Mix = readonly (readonly [number, number])[];

/** The workload fields of a load request (conformance/AGENT.md). */
export interface WorkloadRequest {
  readonly name?: string;
  readonly keys?: number;
  readonly zipf?: number;
  readonly readRatio?: number;
  readonly missRatio?: number;
  readonly valueBytes?: number;
  readonly valueBytesMix?: Mix;
  readonly ttlMs?: number;
  readonly ttlMsMix?: Mix;
  readonly preload?: boolean;
  readonly trace?: string;
}

type Settings = Required<Omit<WorkloadRequest, "valueBytes" | "ttlMsMix" | "preload" | "trace">>;

const common = { missRatio: 0, ttlMs: 600_000 };
const named: Readonly<Record<string, Settings>> = {
  reference: { ...common, name: "reference", keys: 1_000, zipf: 0, readRatio: 0.5, valueBytesMix: [[100, 1]] },
  production: {
    ...common,
    name: "production",
    keys: 100_000,
    zipf: 1,
    readRatio: 0.9,
    valueBytesMix: [
      [50, 15],
      [100, 20],
      [200, 25],
      [300, 15],
      [500, 10],
      [1_000, 8],
      [2_000, 4],
      [10_000, 2],
      [50_000, 0.8],
      [100_000, 0.2],
    ],
  },
};

// These irrational steps distribute a mix evenly over hot and cold keys. All languages use the same steps.
const sizeStep = 0.6180339887498949;
const ttlStep = 0.7548776662466927;

/** The keys, values and random choices of a load. A key or value is created when it is first used, or earlier. */
export class Workload {
  readonly settings: Settings;
  readonly preload: boolean;
  readonly trace: Trace | null;
  readonly #valueSizes: Mix;
  readonly #ttls: Mix;
  readonly #chooser: KeyChooser;
  readonly #reads: readonly Step[];
  readonly #absent: readonly Step[];
  readonly #writes: (Step | undefined)[] = [];

  constructor(request: WorkloadRequest = {}) {
    const base = named[request.name ?? "reference"];
    if (base === undefined) throw new Error(`unknown workload "${request.name}"`);
    const { valueBytes, ttlMsMix, trace, preload, ...rest } = request;
    const size = valueBytes === undefined ? {} : { valueBytesMix: [[valueBytes, 1]] as const };
    this.settings = { ...base, ...size, ...rest };
    const { keys, zipf, missRatio, ttlMs } = this.settings;
    this.trace = trace === undefined ? null : readTrace(trace, ttlMs);
    this.trace?.restart();
    this.preload = preload ?? this.trace === null;
    this.#valueSizes = this.settings.valueBytesMix;
    this.#ttls = ttlMsMix ?? [[ttlMs, 1]];
    const read = (i: number): Step => ({ isRead: true, key: keyName(i), value: "", ttlMs: 0 });
    this.#reads = Array.from({ length: keys }, (_, i) => read(i));
    this.#absent = missRatio > 0 ? Array.from({ length: keys }, (_, i) => read(i + keys)) : [];
    this.#chooser = new KeyChooser(keys, zipf);
  }

  /** Yields the preload, which is one set for each key. */
  *everyKey(): Generator<Step> {
    if (this.trace !== null) yield* this.trace.first;
    else for (let i = 0; i < this.settings.keys; i++) yield this.#write(i);
  }

  /** Returns the next call. */
  next(random: () => number): Step {
    if (this.trace !== null) return this.trace.next();
    const index = this.#chooser.next(random);
    if (random() >= this.settings.readRatio) return this.#write(index);
    return this.#absent.length > 0 && random() < this.settings.missRatio ? this.#absent[index]! : this.#reads[index]!;
  }

  /** Returns whether a value that was read belongs to its key. */
  belongs(key: string, value: string): boolean {
    return value.startsWith(key.slice(0, value.length));
  }

  #write(index: number): Step {
    let step = this.#writes[index];
    if (step === undefined) {
      const key = keyName(index);
      const value = makeValue(key, drawn(this.#valueSizes, index, sizeStep));
      step = { isRead: false, key, value, ttlMs: drawn(this.#ttls, index, ttlStep) };
      this.#writes[index] = step;
    }
    return step;
  }
}

/** Chooses key i of `keys` with a probability proportional to 1 / (i + 1)^zipf. */
export class KeyChooser {
  readonly #weights: Float64Array | null;

  constructor(
    private readonly keys: number,
    zipf: number,
  ) {
    this.#weights = zipf === 0 ? null : cumulative(Array.from({ length: keys }, (_, i) => 1 / (i + 1) ** zipf));
  }

  next(random: () => number): number {
    return this.#weights === null ? Math.floor(random() * this.keys) : draw(this.#weights, random());
  }
}

function keyName(index: number): string {
  return `larder-${String(index).padStart(9, "0")}`;
}

/** Returns the value that a mix assigns to key `index`. The value is the same at each call. */
function drawn(mix: Mix, index: number, step: number): number {
  const spread = (index + 1) * step;
  let share = (spread - Math.floor(spread)) * mix.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of mix) {
    share -= weight;
    if (share < 0) return value;
  }
  return mix.at(-1)![0];
}

function cumulative(weights: readonly number[]): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let running = 0;
  return Float64Array.from(weights, (weight) => {
    running += weight;
    return running / total;
  });
}

function draw(cumulativeWeights: Float64Array, point: number): number {
  let low = 0;
  let high = cumulativeWeights.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulativeWeights[middle]! <= point) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns a small random number generator (mulberry32) for numbers in [0, 1). The same seed always produces the same
 * sequence.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
