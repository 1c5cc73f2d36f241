import { Buffer } from "node:buffer";
import type { ItemType } from "../client/responses.js";
import { ProtoError, ProtoReader } from "./proto-reader.js";

/** The arm of an answer that is a oneof of messages: its number, 0 where there is none, and what is in it. */
export interface Outcome {
  readonly number: number;
  readonly content: ProtoReader;
}

/** Reads an answer that is a oneof of messages, to its end; of several the last counts. */
export function outcomeOf(reader: ProtoReader): Outcome {
  let number = 0;
  let content = new ProtoReader(reader.buffer, 0, 0);
  while (reader.more) {
    const tag = reader.varint();
    if ((tag & 7) !== 2) {
      reader.skip(tag);
      continue;
    }
    number = tag >>> 3;
    const end = reader.fieldEnd();
    content = new ProtoReader(reader.buffer, reader.position, end);
    reader.position = end;
  }
  return { number, content };
}

/** A field that is a number; 0 where it is left out. */
export function numberIn(message: ProtoReader, field: number): number {
  return last(message, field * 8, 0, (reader) => reader.varint());
}

/** A field that is a signed number of 64 bits; 0 where it is left out. */
export function bigIn(message: ProtoReader, field: number): bigint {
  return last(message, field * 8, 0n, (reader) => reader.bigVarint());
}

/** A field that is a truth value; false where it is left out. */
export function flagIn(message: ProtoReader, field: number): boolean {
  return numberIn(message, field) !== 0;
}

/** A field of bytes, the caller's own: a view would keep the connection's whole buffer alive. */
export function bytesIn(message: ProtoReader, field: number): Buffer {
  return Buffer.from(last(message, field * 8 + 2, Buffer.alloc(0), (reader) => reader.bytes()));
}

const itemTypes: readonly ItemType[] = ["scalar", "dictionary", "set", "list", "sortedSet"];

/** A field that is an item's type. */
export function itemTypeIn(message: ProtoReader, field: number): ItemType {
  const number = numberIn(message, field);
  const type = itemTypes[number];
  if (type === undefined) throw new ProtoError(`an item's type was answered with ${number}`);
  return type;
}

// Reads the message from its start, so that each field can be asked for by itself.
function last<T>(message: ProtoReader, wanted: number, none: T, read: (reader: ProtoReader) => T): T {
  const start = message.position;
  let found = none;
  while (message.more) {
    const tag = message.varint();
    if (tag === wanted) found = read(message);
    else message.skip(tag);
  }
  message.position = start;
  return found;
}
