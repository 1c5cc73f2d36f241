import { closeSync, openSync, writeSync } from "node:fs";

interface Reading {
  version: number;
  firstEnd: bigint;
  lastBegin: bigint;
}

const keptLines = 1_000;

/**
 * Records the reads and writes of one process in a file, to be checked together with the files of all processes. A line
 * is one of:
 * - `w,key,version,finished`: a write;
 * - `u,key,version,ended`: a write whose outcome is unknown;
 * - `r,key,version,first end,last begin`: the reads that returned a version, when the first ended and the last began;
 * - `m,key,version`: a miss, caused by this delete or a later one.
 *
 * Times are ns of the monotonic clock, which all processes of a machine share.
 */
export class NearRecords {
  readonly #file: number | null;
  readonly #lines: string[] = [];
  readonly #readings = new Map<number, Reading>();
  readonly #missed = new Map<number, number>();

  /** Creates a new file. Without a path nothing is recorded. */
  constructor(path: string | undefined) {
    this.#file = path === undefined ? null : openSync(path, "w");
  }

  wrote(key: number, version: number, finishedNs: bigint): void {
    this.#add(`w,${key},${version},${finishedNs}\n`);
  }

  /** Records a write that ended with an error. */
  unknown(key: number, version: number, endedNs: bigint): void {
    this.#add(`u,${key},${version},${endedNs}\n`);
  }

  /** Records a read that returned this version. */
  read(key: number, version: number, beganNs: bigint, endedNs: bigint): void {
    if (this.#file === null) return;
    const now = this.#readings.get(key);
    if (now?.version === version) {
      // Reads are recorded in the order in which they end, but may have begun in another order.
      if (beganNs > now.lastBegin) now.lastBegin = beganNs;
      return;
    }
    if (now !== undefined) this.#tell(key, now);
    this.#readings.set(key, { version, firstEnd: endedNs, lastBegin: beganNs });
  }

  /** Records a miss; `version` is the first delete that can explain it. */
  missed(key: number, version: number): void {
    if (this.#missed.get(key) === version) return;
    this.#missed.set(key, version);
    this.#add(`m,${key},${version}\n`);
  }

  /** Writes the buffered lines and closes the file. Nothing may be recorded afterwards. */
  close(): void {
    if (this.#file === null) return;
    for (const [key, reading] of this.#readings) this.#tell(key, reading);
    writeSync(this.#file, this.#lines.join(""));
    closeSync(this.#file);
  }

  #tell(key: number, { version, firstEnd, lastBegin }: Reading): void {
    this.#add(`r,${key},${version},${firstEnd},${lastBegin}\n`);
  }

  #add(line: string): void {
    if (this.#file === null) return;
    this.#lines.push(line);
    if (this.#lines.length < keptLines) return;
    writeSync(this.#file, this.#lines.join(""));
    this.#lines.length = 0;
  }
}
