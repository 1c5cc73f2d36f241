const toldAtMost = 5;

/**
 * Tracks which versions one client has read or written, and detects reads that go backwards. The versions of a key
 * count up from 1; version 0 is the state before the first write. Has no side effects.
 *
 * Two overlapping reads may return versions in either order. A read is therefore compared only with what had finished
 * when it began: its floor. A miss has no version. It counts as the first delete at or after the floor, so that a hit
 * older than that delete is a violation.
 */
export class NearCheck {
  readonly #finished: Int32Array;
  /** The number of consistency violations found. */
  violations = 0;
  /** Messages of the first few violations. */
  readonly told: string[] = [];
  /** Whether misses no longer count, because the cache was flushed or its server restarted. */
  isLost = false;

  /** `deleteEvery`: each version divisible by this is a delete. 0: there are no deletes. */
  constructor(
    keys: number,
    private readonly deleteEvery: number,
  ) {
    this.#finished = new Int32Array(keys);
  }

  isDelete(version: number): boolean {
    return this.deleteEvery > 0 && version % this.deleteEvery === 0;
  }

  /** Returns the lowest version that a read beginning now may return. */
  floor(key: number): number {
    return this.#finished[key]!;
  }

  /** Records that a read or write of this client ended with this version. */
  finished(key: number, version: number): void {
    if (version > this.#finished[key]!) this.#finished[key] = version;
  }

  /** Checks a read that began at a floor and found this version. */
  found(key: number, floor: number, version: number): void {
    if (version < floor)
      this.violated(`key ${key}: a read returned version ${version} after version ${floor} was acknowledged`);
    this.finished(key, version);
  }

  /**
   * Checks a miss of a read that began at a floor. Returns the version that the miss stands for, or -1 if a miss proves
   * nothing. `issued`: the last version whose write was started if this process writes the key, else null.
   */
  missed(key: number, floor: number, issued: number | null): number {
    if (this.isLost) return -1;
    if (floor > 0 && this.deleteEvery === 0) {
      this.violated(`key ${key}: a read returned a miss after version ${floor} was acknowledged`);
      return -1;
    }
    const version = floor === 0 ? 0 : Math.ceil(floor / this.deleteEvery) * this.deleteEvery;
    if (issued !== null && version > issued)
      this.violated(
        `key ${key}: a read returned a miss after version ${floor} was acknowledged and without a delete since`,
      );
    this.finished(key, version);
    return version;
  }

  violated(what: string): void {
    this.violations++;
    if (this.told.length < toldAtMost) this.told.push(what);
  }
}
