import { closeSync, openSync, writeSync } from "node:fs";

interface Reading {
  version: number;
  firstEnd: bigint;
  lastBegin: bigint;
}

const keptLines = 1_000;

/**
 * The file of what a process wrote and read, for whoever has those of all processes: `w,key,version,finished`, `u,key,version,ended` (a write whose end is
 * unknown), `r,key,version,first end,last begin` (of the reads that returned a version, when the first ended and the last began) and `m,key,version` (a read
 * found nothing: there was this delete, or a later one). Times are ns of the monotonic clock, which all processes of a machine share.
 */
export class NearRecords {
  readonly #file: number | null;
  readonly #lines: string[] = [];
  readonly #readings = new Map<number, Reading>();
  readonly #missed = new Map<number, number>();

  /** A new file; without a path nothing is kept. */
  constructor(path: string | undefined) {
    this.#file = path === undefined ? null : openSync(path, "w");
  }

  wrote(key: number, version: number, finishedNs: bigint): void {
    this.#add(`w,${key},${version},${finishedNs}\n`);
  }

  /** A write has ended with an error. */
  unknown(key: number, version: number, endedNs: bigint): void {
    this.#add(`u,${key},${version},${endedNs}\n`);
  }

  /** A read gave this version. */
  read(key: number, version: number, beganNs: bigint, endedNs: bigint): void {
    if (this.#file === null) return;
    const now = this.#readings.get(key);
    if (now?.version === version) {
      // Reads end in order; they need not have begun so.
      if (beganNs > now.lastBegin) now.lastBegin = beganNs;
      return;
    }
    if (now !== undefined) this.#tell(key, now);
    this.#readings.set(key, { version, firstEnd: endedNs, lastBegin: beganNs });
  }

  /** A read found nothing, which this delete explains at the earliest. */
  missed(key: number, version: number): void {
    if (this.#missed.get(key) === version) return;
    this.#missed.set(key, version);
    this.#add(`m,${key},${version}\n`);
  }

  /** Writes what is left; nothing is added afterwards. */
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
