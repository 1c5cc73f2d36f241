/** Random choices, including invalid argument values. The same seed produces the same choices. */
export class HostileRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number in [0, 1) (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(most: number): number {
    return Math.floor(this.next() * most);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** Returns a value of any type. Some values throw when a property is read. */
  junk(): unknown {
    return this.of(makers)(this);
  }
}

const makers: readonly ((random: HostileRandom) => unknown)[] = [
  () => undefined,
  () => null,
  (random) => random.chance(0.5),
  (random) => random.next() * 2 ** random.below(70) - 2 ** 20,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  (random) => BigInt(random.below(1_000)) ** 20n,
  () => "",
  () => "\ud800",
  (random) => "x".repeat(random.below(300)),
  () => Symbol("junk"),
  () => () => {
    throw new Error("called");
  },
  () => async () => Promise.reject(new Error("called")),
  () => ({}),
  () => [],
  (random) => [random.below(10)],
  () => Object.create(null),
  () => new Map([[1, 2]]),
  () => new Date(Number.NaN),
  () => new AbortController(),
  () => AbortSignal.abort(),
  () => new Proxy(new Uint8Array(3), {}),
  () => new Uint8Array(8),
  (random) => new Uint8Array(random.below(100_000)),
  () => new Uint8Array(new SharedArrayBuffer(8)),
  () => new Float64Array(3),
  () => ({ ttlMs: "5", timeoutMs: {} }),
  () => ({ [Symbol.toPrimitive]: () => "1" }),
  () => ({
    get signal() {
      throw new Error("a getter that throws");
    },
  }),
  () => ({
    *[Symbol.iterator]() {
      yield "key";
      throw new Error("an iterator that throws");
    },
  }),
  () =>
    new Proxy(
      {},
      {
        get() {
          throw new Error("a proxy that throws");
        },
      },
    ),
];
