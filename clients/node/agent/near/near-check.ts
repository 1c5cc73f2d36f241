const toldAtMost = 5;

/**
 * What one client has finished, and whether a read that ends now gives less. Versions of a key count up from 1; 0 is what was there before the first. Pure.
 *
 * Two reads that overlap may give either order: a read is compared with what had finished when it began, which is its floor. A miss names no version: it counts
 * as the oldest delete that is none older than the floor, so that what comes after a miss that should have been a hit is found older.
 */
export class NearCheck {
  readonly #finished: Int32Array;
  /** Reads that gave what they must not have given. */
  violations = 0;
  /** The first few of them in words. */
  readonly told: string[] = [];
  /** Whether misses say nothing any more: the cache was flushed, or its server began anew. */
  isLost = false;

  /** `deleteEvery`: each version that this divides is a delete; 0: none is. */
  constructor(
    keys: number,
    private readonly deleteEvery: number,
  ) {
    this.#finished = new Int32Array(keys);
  }

  isDelete(version: number): boolean {
    return this.deleteEvery > 0 && version % this.deleteEvery === 0;
  }

  /** The version below which a read that begins now must not fall. */
  floor(key: number): number {
    return this.#finished[key]!;
  }

  /** A read or write of this client has finished with this version. */
  finished(key: number, version: number): void {
    if (version > this.#finished[key]!) this.#finished[key] = version;
  }

  /** A read that began at a floor found this version. */
  found(key: number, floor: number, version: number): void {
    if (version < floor) this.violated(`key ${key}: a read gave version ${version} after ${floor} was finished`);
    this.finished(key, version);
  }

  /**
   * A read that began at a floor found nothing: the version that this stands for; -1 where a miss says nothing.
   * `issued`: the last version that was begun to be written, where this process writes the key; else null.
   */
  missed(key: number, floor: number, issued: number | null): number {
    if (this.isLost) return -1;
    if (floor > 0 && this.deleteEvery === 0) {
      this.violated(`key ${key}: a read gave nothing after version ${floor} was finished`);
      return -1;
    }
    const version = floor === 0 ? 0 : Math.ceil(floor / this.deleteEvery) * this.deleteEvery;
    if (issued !== null && version > issued)
      this.violated(`key ${key}: a read gave nothing after version ${floor} was finished, and no delete since`);
    this.finished(key, version);
    return version;
  }

  violated(what: string): void {
    this.violations++;
    if (this.told.length < toldAtMost) this.told.push(what);
  }
}
