const free = 0;
const busy = -1;

/**
 * The versions of the keys that a process writes. A key is written by one caller at a time; after a write whose end is unknown, which the server may still
 * make, not at all until that write was seen or can come no more. So versions reach the server in order. Pure.
 */
export class NearWrites {
  readonly #issued: Int32Array;
  // Free, busy, or when the last write ended unknown, in ms.
  readonly #states: Float64Array;

  constructor(
    keys: number,
    private readonly settleMs: number,
  ) {
    this.#issued = new Int32Array(keys);
    this.#states = new Float64Array(keys);
  }

  /** The last version that was begun. */
  issued(key: number): number {
    return this.#issued[key]!;
  }

  /** The next version of a key to write, which is the caller's until it has ended; 0: it is another's, or not settled. */
  tryBegin(key: number, nowMs: number): number {
    const state = this.#states[key]!;
    if (state === busy || (state !== free && nowMs - state <= this.settleMs)) return 0;
    this.#states[key] = busy;
    this.#issued[key]! += 1;
    return this.#issued[key]!;
  }

  /** The write has ended with success. */
  finished(key: number): void {
    this.#states[key] = free;
  }

  /** The write has ended with an error: it was made, is yet to be made, or is not. */
  unknown(key: number, nowMs: number): void {
    this.#states[key] = Math.max(1, nowMs);
  }

  /** A read found this version: if the last write's end was unknown, it was made, and only once. */
  seen(key: number, version: number): void {
    if (this.#states[key]! > free && version === this.#issued[key]) this.#states[key] = free;
  }

  /** Keys that wait to be settled. */
  unsettled(): number {
    return this.#states.reduce((sum, state) => sum + (state > free ? 1 : 0), 0);
  }
}
