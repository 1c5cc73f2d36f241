import type { Buffer } from "node:buffer";
import { setTimeout as wait, setImmediate as whenOthersHaveRun } from "node:timers/promises";
import { type Cache, type CacheClient, ErrorResponse } from "../../src/index.js";
import { Histogram } from "../load/histogram.js";
import { KeyChooser, seededRandom } from "../load/workload.js";
import { NearCheck } from "./near-check.js";
import { NearRecords } from "./near-records.js";
import { isShort, type NearSettings } from "./near-settings.js";
import { nearValue, versionOf } from "./near-value.js";
import { NearWrites } from "./near-writes.js";

const fillBatch = 500;
const sweepers = 4;
const batchKeys = 4;
// A caller waits this long after a failed call. Without the pause, a caller whose calls fail immediately would use a
// whole CPU core.
const afterFailureMs = 10;

type Answer = object;
type Step = (random: () => number) => Promise<boolean>;

interface Counts {
  readonly reads: number;
  readonly hits: number;
  readonly misses: number;
  readonly plainReads: number;
  readonly writes: number;
  readonly deletes: number;
}

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/**
 * The randomised run of one process. Its callers read and write keys with versioned values and check every response.
 * The records of this run can be checked together with the records of other processes (conformance/AGENT.md, `near`).
 */
export class NearRun {
  readonly check: NearCheck;
  readonly #writes: NearWrites;
  readonly #keys: readonly string[];
  readonly #chooser: KeyChooser;
  readonly #records: NearRecords;
  readonly #histogram = new Histogram();
  readonly #failures: Record<string, number> = {};
  #reads = 0;
  #plainReads = 0;
  #misses = 0;
  #written = 0;
  #deletes = 0;
  #before: Counts;
  readonly #filled = gate();
  readonly #go = gate();
  #begun = 0n;
  #isOver = false;

  constructor(
    private readonly settings: NearSettings,
    private readonly client: CacheClient,
    private readonly cache: Cache,
  ) {
    const { keys, prefix, deleteEvery, settleMs, zipf, records } = settings;
    this.check = new NearCheck(keys, deleteEvery);
    this.#writes = new NearWrites(keys, settleMs);
    this.#keys = Array.from({ length: keys }, (_, key) => `${prefix}-${String(key).padStart(9, "0")}`);
    this.#chooser = new KeyChooser(keys, zipf);
    this.#records = new NearRecords(records);
    this.#before = this.#counted();
  }

  /** Runs the callers until the run ends. Returns the response of the operation. */
  async run(): Promise<object> {
    try {
      if (this.settings.fill) await this.sweep();
      this.#filled.open();
      if (this.settings.hold) await this.#go.opened;
      void this.#measure();
      const { callers, peekers } = this.settings;
      const step: Step = (random) => this.#step(random);
      const peek: Step = async (random) => this.#tryGetNear(this.#chooser.next(random)) || true;
      const steps = Array.from({ length: callers + peekers }, (_, number) => (number < callers ? step : peek));
      await Promise.all(steps.map((each, number) => this.#call(number, each)));
    } finally {
      this.#records.close();
    }
    return { ...this.now(), readHistogram: this.#histogram.toJson() };
  }

  /** Resolves when each key of this process has been written. If `fill` is false, resolves when the run starts. */
  filled(): Promise<void> {
    return this.#filled.opened;
  }

  /** Starts the measured time of a run that has the setting `hold`. */
  go(): void {
    this.#go.open();
  }

  /** Writes a new version of every key of this process, in batches. Skips keys that other callers are writing. */
  async sweep(): Promise<object> {
    const began = process.hrtime.bigint();
    const own = this.#keys.flatMap((_, key) => (this.#isOwn(key) ? [key] : []));
    let written = 0;
    const some = async () => {
      while (own.length > 0) {
        // Do not write `written += await …`: it would lose the counts that other callers add during the await.
        const stored = await this.#setBatch(own.splice(0, fillBatch));
        written += stored;
      }
    };
    await Promise.all(Array.from({ length: sweepers }, some));
    return { result: "success", written, beganNs: `${began}`, endedNs: `${process.hrtime.bigint()}` };
  }

  /** Returns the current counts. */
  now(): object {
    const seconds = this.#begun === 0n ? 0 : Number(process.hrtime.bigint() - this.#begun) / 1e9;
    const now = this.#counted();
    const reads = now.reads - this.#before.reads;
    return {
      result: "success",
      seconds,
      reads,
      hits: now.hits - this.#before.hits,
      misses: now.misses - this.#before.misses,
      plainReads: now.plainReads - this.#before.plainReads,
      writes: now.writes - this.#before.writes,
      deletes: now.deletes - this.#before.deletes,
      unsettled: this.#writes.unsettled(),
      violations: this.check.violations,
      told: this.check.told,
      readsPerSecond: seconds > 0 ? reads / seconds : 0,
      failures: this.#failures,
    };
  }

  #counted(): Counts {
    return {
      reads: this.#reads,
      hits: nearHitsOf(this.client),
      misses: this.#misses,
      plainReads: this.#plainReads,
      writes: this.#written,
      deletes: this.#deletes,
    };
  }

  async #measure(): Promise<void> {
    await wait(this.settings.warmupSeconds * 1_000);
    this.#before = this.#counted();
    this.#begun = process.hrtime.bigint();
    await wait(this.settings.seconds * 1_000);
    this.#isOver = true;
  }

  async #call(number: number, step: Step): Promise<void> {
    const { seed, index, burst, pauseMs } = this.settings;
    const random = seededRandom(seed * 1_000_003 + index * 1_009 + number);
    while (!this.#isOver) {
      for (let i = 0; i < burst && !this.#isOver; i++) if (!(await step(random))) await wait(afterFailureMs);
      // A hit completes within the current turn of the event loop. Without this pause, the process would not receive
      // data or run timers.
      await (pauseMs > 0 ? wait(pauseMs) : whenOthersHaveRun());
    }
  }

  async #step(random: () => number): Promise<boolean> {
    const { index, writeShare, plainShare } = this.settings;
    const key = this.#chooser.next(random);
    if (index >= 0 && random() < writeShare) return this.#writeSome(random, this.#ownNear(key));
    if (random() < plainShare) {
      if (random() < 0.5) return this.#getWithHash(key);
      return this.#getBatch(Array.from({ length: batchKeys }, () => this.#chooser.next(random)));
    }
    const began = process.hrtime.bigint();
    const isWell = (random() < 0.5 && this.#tryGetNear(key)) || (await this.#get(key, began));
    if (this.#begun !== 0n) this.#histogram.record(Number(process.hrtime.bigint() - began));
    return isWell;
  }

  // One fifth of the writes use the hash, and one fifth are batches.
  async #writeSome(random: () => number, key: number): Promise<boolean> {
    const how = Math.floor(random() * 5);
    if (how !== 1) return (await this.#write(key, how === 0)) !== false;
    const keys = Array.from({ length: batchKeys }, () => this.#ownNear(this.#chooser.next(random)));
    await this.#setBatch([...new Set(keys)]);
    return true;
  }

  #isOwn(key: number): boolean {
    return this.settings.index >= 0 && key % this.settings.writers === this.settings.index;
  }

  #ownNear(key: number): number {
    const own = key - (key % this.settings.writers) + this.settings.index;
    return own < this.settings.keys ? own : own - this.settings.writers;
  }

  /** Reads only the local copy. Returns false if there is no copy. */
  #tryGetNear(key: number): boolean {
    const [floor, began] = [this.check.floor(key), process.hrtime.bigint()];
    const hit = this.cache.tryGetNear(this.#keys[key]!);
    return hit !== undefined && this.#readEnded(key, floor, began, hit);
  }

  async #get(key: number, began: bigint): Promise<boolean> {
    const floor = this.check.floor(key);
    return this.#readEnded(key, floor, began, await this.cache.get(this.#keys[key]!));
  }

  async #getWithHash(key: number): Promise<boolean> {
    const [floor, began] = [this.check.floor(key), process.hrtime.bigint()];
    const response = await this.cache.getWithHash(this.#keys[key]!);
    this.#plainReads++;
    return this.#readEnded(key, floor, began, response);
  }

  async #getBatch(keys: readonly number[]): Promise<boolean> {
    const floors = keys.map((key) => this.check.floor(key));
    const began = process.hrtime.bigint();
    const names = keys.map((key) => this.#keys[key]!);
    const response = await this.cache.getBatch(names);
    if (response instanceof ErrorResponse) return this.#failed(response);
    this.#plainReads += keys.length;
    return keys
      .map((key, i) => this.#readEnded(key, floors[i]!, began, response.responses[i]!))
      .every((isWell) => isWell);
  }

  #readEnded(key: number, floor: number, began: bigint, response: Answer): boolean {
    if (response instanceof ErrorResponse) return this.#failed(response);
    const ended = process.hrtime.bigint();
    this.#reads++;
    if (this.#reads >= this.settings.reads) this.#isOver = true;
    const value = bytesOf(response);
    const version = value === null ? this.#missed(key, floor) : this.#found(key, floor, value);
    if (version > 0 && value === null) this.#records.missed(key, version);
    if (version > 0 && value !== null) this.#records.read(key, version, began, ended);
    if (version > 0 && this.#isOwn(key)) this.#writes.seen(key, version);
    return true;
  }

  /** Returns the version of a hit, or -1 if the value is invalid. */
  #found(key: number, floor: number, value: Buffer): number {
    const version = versionOf(value, key);
    if (version === 0) {
      this.check.violated(`key ${key}: a read returned another key's value or a torn value`);
      return -1;
    }
    this.check.found(key, floor, version);
    return version;
  }

  /** Returns the version of the delete that explains a miss, or -1 if no delete is needed or possible. */
  #missed(key: number, floor: number): number {
    this.#misses++;
    if (isShort(this.settings, key)) return -1;
    return this.check.missed(key, floor, this.#isOwn(key) ? this.#writes.issued(key) : null);
  }

  /** Sets or deletes the next version of a key. Returns null if the key must not be written now. */
  async #write(key: number, withHash: boolean): Promise<boolean | null> {
    const version = this.#writes.tryBegin(key, performance.now());
    if (version === 0) return null;
    const name = this.#keys[key]!;
    const ttl = { ttlMs: this.#ttlOf(key) };
    if (this.check.isDelete(version)) return this.#writeEnded(key, version, await this.cache.delete(name));
    const value = this.#value(key, version);
    const response = withHash ? await this.cache.setWithHash(name, value, ttl) : await this.cache.set(name, value, ttl);
    return this.#writeEnded(key, version, response);
  }

  /**
   * Sets the next versions of the keys that may be written now, in one batch. If the next version of a key is a delete,
   * deletes the key with a separate call. Returns the number of stored values.
   */
  async #setBatch(keys: readonly number[]): Promise<number> {
    const taken: { key: number; version: number }[] = [];
    let stored = 0;
    for (const key of keys) {
      if (this.check.isDelete(this.#writes.issued(key) + 1)) stored += (await this.#write(key, false)) === true ? 1 : 0;
      else {
        const version = this.#writes.tryBegin(key, performance.now());
        if (version > 0) taken.push({ key, version });
      }
    }
    if (taken.length === 0) return stored;
    const items = taken.map(
      ({ key, version }) => [this.#keys[key]!, this.#value(key, version), this.#ttlOf(key)] as const,
    );
    const response = await this.cache.setBatch(items);
    for (const { key, version } of taken) stored += this.#writeEnded(key, version, response) ? 1 : 0;
    return stored;
  }

  #writeEnded(key: number, version: number, response: Answer): boolean {
    const ended = process.hrtime.bigint();
    if (response instanceof ErrorResponse) {
      this.#records.unknown(key, version, ended);
      this.#writes.unknown(key, performance.now());
      return this.#failed(response);
    }
    this.check.finished(key, version);
    this.#records.wrote(key, version, ended);
    this.#writes.finished(key);
    this.#written++;
    if (this.check.isDelete(version)) this.#deletes++;
    return true;
  }

  #value(key: number, version: number): Buffer {
    return nearValue(key, version, this.settings.valueBytes);
  }

  #ttlOf(key: number): number {
    return isShort(this.settings, key) ? this.settings.shortTtlMs : this.settings.ttlMs;
  }

  #failed(response: ErrorResponse): boolean {
    const { code } = response.error;
    this.#failures[code] = (this.#failures[code] ?? 0) + 1;
    return false;
  }
}

function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Returns the number of gets that were served from a local copy so far. */
export function nearHitsOf(client: CacheClient): number {
  return client.nearCache?.hits ?? 0;
}

/**
 * Returns the value if the response is a hit of a plain get, a get with the hash or a batch get. Returns null for a
 * miss.
 */
function bytesOf(response: Answer): Buffer | null {
  if ("valueBytes" in response) return response.valueBytes as Buffer;
  return "value" in response ? (response.value as Buffer) : null;
}
