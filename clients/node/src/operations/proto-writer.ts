import { Buffer } from "node:buffer";

/** A key or a value, as callers pass it. A string is sent as UTF-8. */
export type Bytes = string | Uint8Array;

// For text up to this length, a loop is faster than a call into the runtime.
const shortTextLength = 32;

/** Returns the length of a key or value in bytes. The length of a string is that of its UTF-8 encoding. */
export function byteLength(bytes: Bytes): number {
  return typeof bytes === "string" ? Buffer.byteLength(bytes) : bytes.length;
}

/** Returns bytes that the caller cannot change. A string is returned unchanged, and an array is copied. */
export function copyBytes(bytes: Bytes): Bytes {
  return typeof bytes === "string" ? bytes : Buffer.from(bytes);
}

/** Returns the encoded size of an unsigned integer of up to 53 bits, as a varint. */
export function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length++;
  return length;
}

/** Returns the encoded size of a length-delimited field, including its one-byte tag and its length. */
export function fieldLength(contentLength: number): number {
  return 1 + varintLength(contentLength) + contentLength;
}

/**
 * Returns the encoded size of a signed 64-bit integer, as a varint. A negative integer takes ten bytes, because its 64
 * bits are encoded in groups of seven.
 */
export function bigVarintLength(value: bigint): number {
  return value < 0n ? 10 : Math.max(1, Math.ceil(value.toString(2).length / 7));
}

/** Returns the zigzag encoding (sint32) of a signed 32-bit integer. The lowest bit is the sign. */
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** Writes protobuf fields sequentially into a growing buffer. */
export class ProtoWriter {
  #buffer: Buffer;
  #position = 0;

  constructor(initialBytes: number) {
    this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
  }

  get length(): number {
    return this.#position;
  }

  /** Ensures that there is room for `bytes` more bytes. Call this method before each sequence of writes. */
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

  /** Writes an unsigned integer of up to 53 bits. */
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

  /** Writes a signed 64-bit integer. */
  bigVarint(value: bigint): void {
    let rest = BigInt.asUintN(64, value);
    while (rest >= 0x80n) {
      this.byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.byte(Number(rest));
  }

  /**
   * Writes bytes or text of a known encoded length.
   * @throws RangeError if the bytes now have another length.
   */
  raw(bytes: Bytes, length: number): void {
    const buffer = this.#buffer;
    const start = this.#position;
    if (typeof bytes !== "string") {
      // Since the bytes were measured, their buffer may have been resized, or transferred to a worker.
      if (bytes.length !== length)
        throw new RangeError(
          `the number of bytes changed from ${length} to ${bytes.length} before they were sent; ` +
            "do not change the bytes until the call has ended",
        );
      buffer.set(bytes, start);
    } else if (bytes.length !== length) buffer.write(bytes, start, length, "utf8");
    else if (length > shortTextLength) buffer.write(bytes, start, length, "latin1");
    else for (let i = 0; i < length; i++) buffer[start + i] = bytes.charCodeAt(i);
    this.#position = start + length;
  }

  /** Writes a length-delimited field of bytes or text. */
  bytesField(tag: number, bytes: Bytes, length: number): void {
    this.#buffer[this.#position++] = tag;
    this.varint(length);
    this.raw(bytes, length);
  }

  /** Writes the tag and the length of a length-delimited field. The caller writes the content next. */
  header(tag: number, contentLength: number): void {
    this.#buffer[this.#position++] = tag;
    this.varint(contentLength);
  }

  /** Writes a double. */
  double(value: number): void {
    this.#position = this.#buffer.writeDoubleLE(value, this.#position);
  }

  /** Writes a 32-bit float. */
  float(value: number): void {
    this.#position = this.#buffer.writeFloatLE(value, this.#position);
  }

  /** Overwrites four bytes with a big-endian number, for example with the length of a gRPC frame. */
  patchUint32(position: number, value: number): void {
    this.#buffer.writeUInt32BE(value, position);
  }

  /** Discards all bytes after the first `length` bytes. */
  truncate(length: number): void {
    this.#position = length;
  }

  /** Returns the written bytes. They are valid until the next write or `clear`. */
  written(): Buffer {
    return this.#buffer.subarray(0, this.#position);
  }

  /** Discards the contents. A buffer larger than `keepBytes` is replaced with a smaller one. */
  clear(keepBytes: number): void {
    this.#position = 0;
    if (this.#buffer.length > keepBytes) this.#buffer = Buffer.allocUnsafeSlow(keepBytes);
  }
}
