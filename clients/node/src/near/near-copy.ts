import { Hit, type ValueCopy } from "../client/hit.js";
import { byteLength } from "../operations/proto-writer.js";

// NEAR-27: the overhead of a copy in bytes, in addition to its key, its cache's name and its value.
const overheadBytes = 128;

/** A copy of one value. `NearCopies` links its copies in lists. */
export class NearCopy {
  /**
   * The mark of the SIEVE algorithm in `NearCopies`: whether the copy was served since the eviction hand last visited
   * it.
   */
  used = false;
  newer: NearCopy | null = null;
  older: NearCopy | null = null;
  nextOfTicket: NearCopy | null = null;
  previousOfTicket: NearCopy | null = null;

  constructor(
    readonly cacheName: string,
    readonly key: string,
    readonly value: ValueCopy,
    readonly valueLengthBytes: number,
    readonly ticket: number,
    /** The time from which the copy must not be served. */
    readonly endsAt: number,
    readonly bytes: number,
  ) {}

  /** Returns the size of a copy in bytes. */
  static bytesOf(cacheName: string, key: string, valueLengthBytes: number): number {
    return byteLength(cacheName) + byteLength(key) + valueLengthBytes + overheadBytes;
  }

  /** Returns a new hit with the value of this copy, for one caller. */
  hit(): Hit {
    return new Hit(this.value, 0, this.valueLengthBytes);
  }
}
