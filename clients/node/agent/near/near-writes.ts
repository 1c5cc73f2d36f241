const free = 0;
const busy = -1;

/**
 * The versions of the keys that a process writes. Only one caller at a time writes a key. After a write of unknown
 * outcome, which the server may still apply, the key is not written until a read finds that write or it can no longer
 * arrive. So versions reach the server in order. Has no side effects.
 */
export class NearWrites {
  readonly #issued: Int32Array;
  // Free, busy, or the time in ms at which the last write ended with an unknown outcome.
  readonly #states: Float64Array;

  constructor(
    keys: number,
    private readonly settleMs: number,
  ) {
    this.#issued = new Int32Array(keys);
    this.#states = new Float64Array(keys);
  }

  /** Returns the last version whose write was started. */
  issued(key: number): number {
    return this.#issued[key]!;
  }

  /**
   * Reserves the next version of a key for the caller until the write ends. Returns 0 if another caller is writing the
   * key or its last write is unsettled.
   */
  tryBegin(key: number, nowMs: number): number {
    const state = this.#states[key]!;
    if (state === busy || (state !== free && nowMs - state <= this.settleMs)) return 0;
    this.#states[key] = busy;
    this.#issued[key]! += 1;
    return this.#issued[key]!;
  }

  /** Records that the write succeeded. */
  finished(key: number): void {
    this.#states[key] = free;
  }

  /** Records that the write failed: the server has applied it, may still apply it, or never will. */
  unknown(key: number, nowMs: number): void {
    this.#states[key] = Math.max(1, nowMs);
  }

  /**
   * Records that a read found this version. If the outcome of that write was unknown, the server has applied it, and
   * only once.
   */
  seen(key: number, version: number): void {
    if (this.#states[key]! > free && version === this.#issued[key]) this.#states[key] = free;
  }

  /** Returns the number of keys whose last write is unsettled. */
  unsettled(): number {
    return this.#states.reduce((sum, state) => sum + (state > free ? 1 : 0), 0);
  }
}
