import { closeSync, openSync, writeSync } from "node:fs";

interface Reading {
  version: number;
  firstEnd: bigint;
  lastBegin: bigint;
}

const keptLines = 1_000;

/**
 * Writes the reads and writes of one process to a file, which is checked together with the files of all processes. Each
 * line is one of:
 * - `w,key,version,finished`: a write;
 * - `u,key,version,ended`: a write whose outcome is unknown;
 * - `r,key,version,first end,last begin`: all reads that returned a version, with the time at which the first of them
 *   ended and the time at which the last of them began;
 * - `m,key,version`: a miss, which the delete with this version or a later delete explains.
 *
 * Times are in ns on the monotonic clock, which all processes of a machine share.
 */
export class NearRecords {
  readonly #file: number | null;
  readonly #lines: string[] = [];
  readonly #readings = new Map<number, Reading>();
  readonly #missed = new Map<number, number>();

  /** Creates a new file. If the path is undefined, nothing is recorded. */
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
      // Reads are recorded in the order in which they ended. They may have begun in another order.
      if (beganNs > now.lastBegin) now.lastBegin = beganNs;
      return;
    }
    if (now !== undefined) this.#tell(key, now);
    this.#readings.set(key, { version, firstEnd: endedNs, lastBegin: beganNs });
  }

  /** Records a miss. `version` is the first delete that explains the miss. */
  missed(key: number, version: number): void {
    if (this.#missed.get(key) === version) return;
    this.#missed.set(key, version);
    this.#add(`m,${key},${version}\n`);
  }

  /** Writes the buffered lines and closes the file. No method may be called afterwards. */
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
