import type { Buffer } from "node:buffer";

/** Thrown if bytes are not a valid message. */
export class ProtoError extends Error {
  override readonly name = "ProtoError";
}

/** Reads protobuf fields from a part of a buffer, without allocating message objects. */
export class ProtoReader {
  buffer: Buffer;
  position: number;
  end: number;

  constructor(buffer: Buffer, start = 0, end = buffer.length) {
    this.buffer = buffer;
    this.position = start;
    this.end = end;
  }

  get more(): boolean {
    return this.position < this.end;
  }

  /** Reads an unsigned integer. A value over 53 bits is rounded. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 10; i++) {
      if (this.position >= this.end) throw new ProtoError("a varint is truncated");
      const byte = this.buffer[this.position++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new ProtoError("a varint is too long");
  }

  /** Reads a signed 64-bit integer. */
  bigVarint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.position >= this.end) throw new ProtoError("a varint is truncated");
      const byte = this.buffer[this.position++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new ProtoError("a varint is too long");
  }

  /** Reads an unsigned 64-bit integer. */
  unsignedBigVarint(): bigint {
    const start = this.position;
    const value = this.varint();
    if (value <= Number.MAX_SAFE_INTEGER) return BigInt(value);
    this.position = start;
    return BigInt.asUintN(64, this.bigVarint());
  }

  /** Reads a double. */
  double(): number {
    const start = this.position;
    this.#advance(8);
    return this.buffer.readDoubleLE(start);
  }

  /** Reads the length of a length-delimited field. Returns the position at which the field ends. */
  fieldEnd(): number {
    const length = this.varint();
    const end = this.position + length;
    if (end > this.end) throw new ProtoError("a field is truncated");
    return end;
  }

  /** Reads a bytes field as a view of the buffer. */
  bytes(): Buffer {
    const end = this.fieldEnd();
    const bytes = this.buffer.subarray(this.position, end);
    this.position = end;
    return bytes;
  }

  text(): string {
    const end = this.fieldEnd();
    const text = this.buffer.toString("utf8", this.position, end);
    this.position = end;
    return text;
  }

  /** Reads a nested message. `read` cannot read past the end of that message. */
  nested<T>(read: (reader: ProtoReader) => T): T {
    const end = this.fieldEnd();
    const outerEnd = this.end;
    this.end = end;
    const result = read(this);
    this.position = end;
    this.end = outerEnd;
    return result;
  }

  /** Skips the content of a field with this tag. */
  skip(tag: number): void {
    switch (tag & 7) {
      case 0:
        this.varint();
        return;
      case 1:
        this.#advance(8);
        return;
      case 2:
        this.position = this.fieldEnd();
        return;
      case 5:
        this.#advance(4);
        return;
      default:
        throw new ProtoError(`a field has the unknown wire type ${tag & 7}`);
    }
  }

  #advance(bytes: number): void {
    if (this.position + bytes > this.end) throw new ProtoError("a field is truncated");
    this.position += bytes;
  }
}
