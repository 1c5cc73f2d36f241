import { Hit, type ValueCopy } from "../client/hit.js";
import { byteLength } from "../operations/proto-writer.js";

// NEAR-27: what a copy costs beside its key, its cache's name and its value.
const overheadBytes = 128;

/** One value that is kept. Its links are those of `NearCopies`. */
export class NearCopy {
  /** It was served since the hand last came by. */
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
    /** It is served before this moment only. */
    readonly endsAt: number,
    readonly bytes: number,
  ) {}

  /** What a copy would cost. */
  static bytesOf(cacheName: string, key: string, valueLengthBytes: number): number {
    return byteLength(cacheName) + byteLength(key) + valueLengthBytes + overheadBytes;
  }

  /** An answer of its own for one caller. */
  hit(): Hit {
    return new Hit(this.value, 0, this.valueLengthBytes);
  }
}
