const toldAtMost = 5;

/**
 * Tracks which versions one client has read or written, and detects a read that returns an older version than allowed.
 * The versions of a key count up from 1. Version 0 is the state before the first write. The class has no side effects.
 *
 * Two overlapping reads may return versions in either order. The floor of a read is the highest version of all reads
 * and writes that had ended when the read began. A read must not return a version below its floor. A miss has no
 * version. A miss counts as the first delete at or after the floor, so a later hit that is older than that delete is a
 * violation.
 */
export class NearCheck {
  readonly #finished: Int32Array;
  /** The number of consistency violations found. */
  violations = 0;
  /** The messages of the first violations, at most five. */
  readonly told: string[] = [];
  /** Whether misses are ignored, because the cache was flushed or its server was restarted. */
  isLost = false;

  /**
   * Creates a check.
   * @param deleteEvery - Each version that is divisible by this number is a delete. If it is 0, there are no deletes.
   */
  constructor(
    keys: number,
    private readonly deleteEvery: number,
  ) {
    this.#finished = new Int32Array(keys);
  }

  isDelete(version: number): boolean {
    return this.deleteEvery > 0 && version % this.deleteEvery === 0;
  }

  /** Returns the lowest version that a read may return if it begins now. */
  floor(key: number): number {
    return this.#finished[key]!;
  }

  /** Records that a read or write of this client ended with this version. */
  finished(key: number, version: number): void {
    if (version > this.#finished[key]!) this.#finished[key] = version;
  }

  /** Checks a read that began at a floor and returned this version. */
  found(key: number, floor: number, version: number): void {
    if (version < floor)
      this.violated(`key ${key}: a read returned version ${version} after version ${floor} was acknowledged`);
    this.finished(key, version);
  }

  /**
   * Checks a miss of a read that began at a floor. Returns the version of the delete that explains the miss, or -1 if
   * no delete is needed or possible.
   * @param issued - The last version whose write was started, if this process writes the key; otherwise null.
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
        `key ${key}: a read returned a miss after version ${floor} was acknowledged, although no delete followed`,
      );
    this.finished(key, version);
    return version;
  }

  violated(what: string): void {
    this.violations++;
    if (this.told.length < toldAtMost) this.told.push(what);
  }
}
