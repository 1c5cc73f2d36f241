const free = 0;
const busy = -1;

/**
 * The versions of the keys that a process writes. Only one caller at a time writes a key. The server may still apply a
 * write whose outcome is unknown. Therefore the key is then not written until a read returns that write's version, or
 * until the write can no longer arrive. As a result, versions reach the server in order. The class has no side effects.
 */
export class NearWrites {
  readonly #issued: Int32Array;
  // The state of each key: free, busy, or the time in ms at which the last write ended with an unknown outcome.
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
   * key, or if the outcome of the key's last write is still unknown.
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

  /**
   * Records that the outcome of the write is unknown: the server has applied the write, may still apply it, or never
   * will.
   */
  unknown(key: number, nowMs: number): void {
    this.#states[key] = Math.max(1, nowMs);
  }

  /**
   * Records that a read returned this version. If the outcome of that write was unknown, it is now known: the server
   * has applied the write and will not apply it again.
   */
  seen(key: number, version: number): void {
    if (this.#states[key]! > free && version === this.#issued[key]) this.#states[key] = free;
  }

  /** Returns the number of keys whose last write has an unknown outcome. */
  unsettled(): number {
    return this.#states.reduce((sum, state) => sum + (state > free ? 1 : 0), 0);
  }
}
