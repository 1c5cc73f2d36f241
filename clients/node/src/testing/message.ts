import { Buffer } from "node:buffer";
import { ProtoReader } from "../operations/proto-reader.js";

type Value = bigint | Buffer;

/** A parsed protobuf message: its fields by number. If a singular field occurs several times, the last one wins. */
export class Message {
  readonly #fields = new Map<number, Value[]>();

  constructor(bytes: Buffer) {
    const reader = new ProtoReader(bytes);
    while (reader.more) {
      const tag = reader.varint();
      const field = tag >>> 3;
      const values = this.#fields.get(field);
      const value = valueIn(reader, tag);
      if (values === undefined) this.#fields.set(field, [value]);
      else values.push(value);
    }
  }

  has(field: number): boolean {
    return this.#fields.has(field);
  }

  /** Returns all values of a repeated bytes field. The list is empty if the field is absent. */
  list(field: number): readonly Buffer[] {
    return (this.#fields.get(field) ?? []) as Buffer[];
  }

  messages(field: number): readonly Message[] {
    return this.list(field).map((bytes) => new Message(bytes));
  }

  bytes(field: number): Buffer {
    return (this.#last(field) as Buffer | undefined) ?? Buffer.alloc(0);
  }

  text(field: number): string {
    return this.bytes(field).toString();
  }

  message(field: number): Message {
    return new Message(this.bytes(field));
  }

  number(field: number): number {
    return Number(this.unsigned(field));
  }

  flag(field: number): boolean {
    return this.unsigned(field) !== 0n;
  }

  unsigned(field: number): bigint {
    return (this.#last(field) as bigint | undefined) ?? 0n;
  }

  signed(field: number): bigint {
    return BigInt.asIntN(64, this.unsigned(field));
  }

  /** Returns a zigzag-encoded integer (sint32). Undefined if the field is absent. */
  zigzag(field: number): number | undefined {
    if (!this.has(field)) return undefined;
    const value = this.number(field);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Returns a double. Undefined if the field is absent. */
  double(field: number): number | undefined {
    return (this.#last(field) as Buffer | undefined)?.readDoubleLE();
  }

  /** Returns a 32-bit float. 0 if the field is absent. */
  float(field: number): number {
    return (this.#last(field) as Buffer | undefined)?.readFloatLE() ?? 0;
  }

  #last(field: number): Value | undefined {
    return this.#fields.get(field)?.at(-1);
  }
}

// Returns the value of a field. A fixed-width number stays bytes, because its type is not known yet.
function valueIn(reader: ProtoReader, tag: number): Value {
  if ((tag & 7) === 0) return reader.unsignedBigVarint();
  if ((tag & 7) === 2) return reader.bytes();
  const start = reader.position;
  reader.skip(tag);
  return reader.buffer.subarray(start, reader.position);
}

/** Encodes a field of bytes, text or a message. The content is the concatenation of the parts. */
export function field(number: number, ...parts: readonly (Uint8Array | string)[]): Buffer {
  let length = 0;
  for (const part of parts) length += typeof part === "string" ? Buffer.byteLength(part) : part.length;
  const head = [...varint(number * 8 + 2), ...varint(length)];
  const bytes = Buffer.allocUnsafe(head.length + length);
  bytes.set(head);
  let at = head.length;
  for (const part of parts) {
    if (typeof part === "string") at += bytes.write(part, at);
    else {
      bytes.set(part, at);
      at += part.length;
    }
  }
  return bytes;
}

export function numberField(number: number, value: number | bigint): Buffer {
  return Buffer.from([...varint(number * 8), ...varint(value)]);
}

export function doubleField(number: number, value: number): Buffer {
  const head = varint(number * 8 + 1);
  const bytes = Buffer.alloc(head.length + 8);
  bytes.set(head);
  bytes.writeDoubleLE(value, head.length);
  return bytes;
}

function varint(value: number | bigint): readonly number[] {
  const bytes: number[] = [];
  if (typeof value === "number" && value >= 0 && value <= 0x7fffffff) {
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
    return bytes;
  }
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return bytes;
}
