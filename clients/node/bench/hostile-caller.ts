import { Buffer } from "node:buffer";
import { isUint8Array } from "node:util/types";
import type { CacheClient } from "../src/index.js";
import type { HostileRandom } from "./hostile-random.js";

/** Valid arguments by call name. In some calls, an invalid value replaces one of the arguments. */
const shapes: Readonly<Record<string, (random: HostileRandom) => unknown[]>> = {
  get: (random) => [keyOf(random)],
  set: (random) => [keyOf(random), bytesOf(random)],
  delete: (random) => [keyOf(random)],
  increment: (random) => [`n${random.below(5)}`, random.below(10)],
  keyExists: (random) => [keyOf(random)],
  keysExist: (random) => [keysOf(random)],
  itemGetTtl: (random) => [keyOf(random)],
  updateTtl: (random) => [keyOf(random), 1 + random.below(5_000)],
  updateTtlIfPrefix: (random) => [keyOf(random), bytesOf(random)],
  getBatch: (random) => [keysOf(random)],
  setBatch: (random) => [keysOf(random).map((key) => [key, bytesOf(random)])],
  setIfAbsent: (random) => [keyOf(random), bytesOf(random)],
  setIfEqual: (random) => [keyOf(random), bytesOf(random), bytesOf(random)],
  getWithHash: (random) => [keyOf(random)],
  getOrSet: (random) => [keyOf(random), factoryOf(random)],
  dictionarySet: (random) => [`d${random.below(5)}`, keysOf(random).map((field) => [field, bytesOf(random)])],
  dictionaryGet: (random) => [`d${random.below(5)}`, keysOf(random)],
  dictionaryFetch: (random) => [`d${random.below(5)}`],
  setUnion: (random) => [`s${random.below(5)}`, keysOf(random)],
  setContains: (random) => [`s${random.below(5)}`, keysOf(random)],
  setPop: (random) => [`s${random.below(5)}`, random.below(5)],
  listPushBack: (random) => [`l${random.below(5)}`, bytesOf(random)],
  listConcatenateFront: (random) => [`l${random.below(5)}`, keysOf(random)],
  listPopFront: (random) => [`l${random.below(5)}`],
  listErase: (random) => [`l${random.below(5)}`, [[random.below(5), random.below(5)]]],
  sortedSetPut: (random) => [`z${random.below(5)}`, keysOf(random).map((element) => [element, random.next()])],
  sortedSetFetchByRank: (random) => [`z${random.below(5)}`],
  sortedSetUnionStore: (random) => [`z${random.below(5)}`, [`z${random.below(5)}`, [`z${random.below(5)}`, 0.5]]],
};

/** Makes random valid and invalid calls on some clients. */
export class HostileCaller {
  constructor(
    private readonly random: HostileRandom,
    private readonly clients: readonly CacheClient[],
    private readonly outcomes: Record<string, number>,
  ) {}

  /** Makes bursts of calls for `lengthMs`. Returns their promises, which may still be pending and never reject. */
  async run(lengthMs: number): Promise<Promise<void>[]> {
    const pending: Promise<void>[] = [];
    const endsAtMs = performance.now() + lengthMs;
    while (performance.now() < endsAtMs) {
      const shared = new AbortController();
      const burst = this.random.below(this.random.chance(0.02) ? 3_000 : 60);
      for (let i = 0; i < burst; i++) pending.push(this.#call(shared));
      if (this.random.chance(0.3)) setTimeout(() => shared.abort(this.random.junk()), this.random.below(20));
      await new Promise((resolve) => setTimeout(resolve, this.random.below(15)));
    }
    return pending;
  }

  async #call(shared: AbortController): Promise<void> {
    const { random } = this;
    const name = random.of(Object.keys(shapes));
    const args = shapes[name]!(random);
    if (name !== "increment" || random.chance(0.5)) args.push(this.#options(shared));
    if (random.chance(0.1)) args[random.below(args.length)] = random.junk();
    const bytes = args.find((arg): arg is Uint8Array => arg instanceof Uint8Array);
    let outcome: string;
    try {
      const cacheName = random.chance(0.02) ? (random.junk() as string) : "cache";
      const cache = random.of(this.clients).cache(cacheName);
      const promise = (cache as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]!(...args);
      if (bytes !== undefined && random.chance(0.2)) transfer(bytes);
      const response = (await promise) as { readonly result?: string; readonly error?: { readonly code: string } };
      outcome = response.error?.code ?? response.result ?? "value";
    } catch (error) {
      outcome = error instanceof Error ? error.constructor.name : "rejected";
    }
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
  }

  #options(shared: AbortController): object | undefined {
    const { random } = this;
    if (random.chance(0.3)) return undefined;
    const own = random.chance(0.1) ? AbortSignal.timeout(random.below(50)) : undefined;
    return {
      signal: own ?? (random.chance(0.5) ? shared.signal : undefined),
      timeoutMs: random.chance(0.3) ? 1 + random.below(500) : undefined,
    };
  }
}

function keyOf(random: HostileRandom): string | Uint8Array {
  return random.chance(0.1) ? new Uint8Array(1 + random.below(20)).fill(random.below(256)) : `key-${random.below(200)}`;
}

function keysOf(random: HostileRandom): (string | Uint8Array)[] {
  return Array.from({ length: random.below(20) }, () => keyOf(random));
}

function bytesOf(random: HostileRandom): string | Uint8Array {
  const size = random.chance(0.02) ? random.below(200_000) : random.below(300);
  return random.chance(0.5) ? "v".repeat(size) : new Uint8Array(size);
}

function factoryOf(random: HostileRandom): () => unknown {
  return random.of([
    () => "made",
    () => Buffer.from("made"),
    async () => "made later",
    () => new Promise((resolve) => setTimeout(resolve, random.below(30), "made much later")),
    () => random.junk(),
    () => {
      throw random.junk();
    },
    async () => {
      throw random.junk();
    },
  ]);
}

// Detaches the buffer of a byte array, as posting it to a worker does. Does nothing with objects that only imitate a
// byte array.
function transfer(bytes: Uint8Array): void {
  if (isUint8Array(bytes) && bytes.buffer instanceof ArrayBuffer && bytes.byteLength > 0)
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
}
