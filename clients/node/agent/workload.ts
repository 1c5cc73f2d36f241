/** What a load asks for; the fields of conformance/AGENT.md. */
export interface WorkloadRequest {
  readonly name?: string;
  readonly keys?: number;
  readonly zipf?: number;
  readonly readRatio?: number;
  readonly missRatio?: number;
  readonly valueBytes?: number;
  readonly valueBytesMix?: readonly (readonly [number, number])[];
  readonly ttlMs?: number;
  readonly preload?: boolean;
}

type Settings = Required<Omit<WorkloadRequest, "valueBytes" | "valueBytesMix">> & {
  readonly valueBytesMix: readonly (readonly [number, number])[];
};

const common = { missRatio: 0, ttlMs: 600_000, preload: true };
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

/** The keys, values and draws of a load. */
export class Workload {
  readonly settings: Settings;
  readonly #keys: readonly string[];
  readonly #missingKeys: readonly string[];
  readonly #keyWeights: Float64Array | null;
  readonly #sizeWeights: Float64Array;
  readonly #fillers: readonly string[];
  // Values of one size, made once for each key: making one for each write would be measured with the client.
  readonly #values = new Map<string, string>();

  constructor(request: WorkloadRequest = {}) {
    const base = named[request.name ?? "reference"];
    if (base === undefined) throw new Error(`there is no workload "${request.name}"`);
    const { valueBytes, ...rest } = request;
    const mix = valueBytes === undefined ? {} : { valueBytesMix: [[valueBytes, 1]] as const };
    this.settings = { ...base, ...mix, ...rest };
    const { keys, zipf, missRatio, valueBytesMix } = this.settings;
    this.#keys = Array.from({ length: keys }, (_, i) => keyName(i));
    this.#missingKeys = missRatio > 0 ? Array.from({ length: keys }, (_, i) => keyName(i + keys)) : [];
    this.#keyWeights = zipf === 0 ? null : cumulative(this.#keys.map((_, i) => 1 / (i + 1) ** zipf));
    this.#sizeWeights = cumulative(valueBytesMix.map(([, weight]) => weight));
    this.#fillers = valueBytesMix.map(([bytes]) => "v".repeat(Math.max(0, bytes - keyLength)));
  }

  get keys(): readonly string[] {
    return this.#keys;
  }

  isRead(random: () => number): boolean {
    return random() < this.settings.readRatio;
  }

  readKey(random: () => number): string {
    const index = this.#index(random);
    return this.#missingKeys.length > 0 && random() < this.settings.missRatio
      ? this.#missingKeys[index]!
      : this.#keys[index]!;
  }

  writeKey(random: () => number): string {
    return this.#keys[this.#index(random)]!;
  }

  value(key: string, random: () => number): string {
    if (this.#sizeWeights.length > 1) return this.#made(key, draw(this.#sizeWeights, random()));
    const kept = this.#values.get(key);
    if (kept !== undefined) return kept;
    const made = this.#made(key, 0);
    if (this.#values.size < mostKeptValues) this.#values.set(key, made);
    return made;
  }

  #made(key: string, size: number): string {
    return (key + this.#fillers[size]!).slice(0, this.settings.valueBytesMix[size]![0]);
  }

  /** Whether a value read belongs to its key. */
  belongs(key: string, value: string): boolean {
    return value.startsWith(key.slice(0, value.length));
  }

  #index(random: () => number): number {
    return this.#keyWeights === null ? Math.floor(random() * this.#keys.length) : draw(this.#keyWeights, random());
  }
}

const keyLength = 16;
// Of 100 bytes each: 1 MB.
const mostKeptValues = 10_000;

function keyName(index: number): string {
  return `larder-${String(index).padStart(9, "0")}`;
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

/** A small generator of numbers in [0, 1), the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
