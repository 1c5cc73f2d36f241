import { Hit, type ValueCopy } from "../client/hit.js";
import { byteLength } from "../operations/proto-writer.js";

// NEAR-27: the overhead of a copy, in addition to its key, its cache's name and its value.
const overheadBytes = 128;

/** A copy of one value. `NearCopies` manages its links. */
export class NearCopy {
  /** Whether it was served since the hand's last visit. */
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
    /** The copy may be served only before this time. */
    readonly endsAt: number,
    readonly bytes: number,
  ) {}

  /** Returns the size of a copy in bytes. */
  static bytesOf(cacheName: string, key: string, valueLengthBytes: number): number {
    return byteLength(cacheName) + byteLength(key) + valueLengthBytes + overheadBytes;
  }

  /** Returns a new hit for one caller. */
  hit(): Hit {
    return new Hit(this.value, 0, this.valueLengthBytes);
  }
}
