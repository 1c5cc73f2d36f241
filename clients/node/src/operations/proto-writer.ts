import { Buffer } from "node:buffer";

/** A key or a value as callers give it: text is sent as UTF-8. */
export type Bytes = string | Uint8Array;

// Up to this many characters a loop is faster than a call into the runtime.
const shortTextLength = 32;

/** The number of bytes that `bytes` takes on the wire. */
export function byteLength(bytes: Bytes): number {
  return typeof bytes === "string" ? Buffer.byteLength(bytes) : bytes.length;
}

/** Bytes that nobody else can change: text as it is, others copied. */
export function ownBytes(bytes: Bytes): Bytes {
  return typeof bytes === "string" ? bytes : Buffer.from(bytes);
}

/** The number of bytes of an unsigned integer of up to 53 bits as a varint. */
export function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length++;
  return length;
}

/** The number of bytes of a length-delimited field, its tag of one byte and its length included. */
export function fieldLength(contentLength: number): number {
  return 1 + varintLength(contentLength) + contentLength;
}

/** Bytes of a signed 64-bit number as a varint: a negative one is ten, its 64 bits seven at a time. */
export function bigVarintLength(value: bigint): number {
  return value < 0n ? 10 : Math.max(1, Math.ceil(value.toString(2).length / 7));
}

/** A signed 32-bit number as the unsigned one that is sent for it (sint32): its sign is the lowest bit. */
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** Writes protobuf fields forward into a buffer that grows. */
export class ProtoWriter {
  #buffer: Buffer;
  #position = 0;

  constructor(initialBytes: number) {
    this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
  }

  get length(): number {
    return this.#position;
  }

  /** Makes sure that `bytes` more fit; to be called before each run of writes. */
  reserve(bytes: number): void {
    const needed = this.#position + bytes;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(grown, 0, 0, this.#position);
    this.#buffer = grown;
  }

  byte(value: number): void {
    this.#buffer[this.#position++] = value;
  }

  /** An unsigned integer of up to 53 bits. */
  varint(value: number): void {
    const buffer = this.#buffer;
    let position = this.#position;
    let rest = value;
    while (rest > 0x7fffffff) {
      buffer[position++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest >= 0x80) {
      buffer[position++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    buffer[position++] = rest;
    this.#position = position;
  }

  /** A signed 64-bit integer. */
  bigVarint(value: bigint): void {
    let rest = BigInt.asUintN(64, value);
    while (rest >= 0x80n) {
      this.byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.byte(Number(rest));
  }

  /** Bytes or text whose length in bytes is known. Throws a RangeError where the bytes have another length by now. */
  raw(bytes: Bytes, length: number): void {
    const buffer = this.#buffer;
    const start = this.#position;
    if (typeof bytes !== "string") {
      // Its buffer may have been resized, or transferred to a worker, since it was measured.
      if (bytes.length !== length) throw new RangeError(`${length} bytes have become ${bytes.length}`);
      buffer.set(bytes, start);
    } else if (bytes.length !== length) buffer.write(bytes, start, length, "utf8");
    else if (length > shortTextLength) buffer.write(bytes, start, length, "latin1");
    else for (let i = 0; i < length; i++) buffer[start + i] = bytes.charCodeAt(i);
    this.#position = start + length;
  }

  /** A length-delimited field of bytes or text. */
  bytesField(tag: number, bytes: Bytes, length: number): void {
    this.#buffer[this.#position++] = tag;
    this.varint(length);
    this.raw(bytes, length);
  }

  /** The head of a length-delimited field whose content is written next. */
  header(tag: number, contentLength: number): void {
    this.#buffer[this.#position++] = tag;
    this.varint(contentLength);
  }

  /** A number of 64 bits with a point. */
  double(value: number): void {
    this.#position = this.#buffer.writeDoubleLE(value, this.#position);
  }

  /** A number of 32 bits with a point. */
  float(value: number): void {
    this.#position = this.#buffer.writeFloatLE(value, this.#position);
  }

  /** Overwrites four bytes with a big-endian number, as gRPC's frames have their length. */
  patchUint32(position: number, value: number): void {
    this.#buffer.writeUInt32BE(value, position);
  }

  /** Takes back what was written past `length`. */
  truncate(length: number): void {
    this.#position = length;
  }

  /** What was written; valid until the next write or `clear`. */
  written(): Buffer {
    return this.#buffer.subarray(0, this.#position);
  }

  /** Forgets what was written; a buffer larger than `keepBytes` is let go. */
  clear(keepBytes: number): void {
    this.#position = 0;
    if (this.#buffer.length > keepBytes) this.#buffer = Buffer.allocUnsafeSlow(keepBytes);
  }
}
