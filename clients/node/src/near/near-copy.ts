import { Hit, type ValueCopy } from "../client/hit.js";
import { byteLength } from "../operations/proto-writer.js";

// NEAR-27: the overhead of a copy in bytes, in addition to its key, its cache's name and its value.
const overheadBytes = 128;

/** The decoded value of a copy, as a typed cache returns it to all its callers. */
export interface DecodedCopy {
  /** The object that decoded the value. */
  readonly decoder: object;
  readonly hit: { readonly result: "hit"; readonly value: unknown };
}

/** A copy of one value. `NearCopies` links its copies in lists. */
export class NearCopy {
  /**
   * The mark of the SIEVE algorithm in `NearCopies`: whether the copy was served since the eviction hand last visited
   * it.
   */
  used = false;
  /** The decoded value, if a typed cache keeps it. */
  decoded: DecodedCopy | null = null;
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
    /** The size, including the size of the decoded value. */
    public bytes: number,
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
