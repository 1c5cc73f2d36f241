import { Buffer } from "node:buffer";
import type { ItemType } from "../client/responses.js";
import { ProtoError, ProtoReader } from "./proto-reader.js";

/** The oneof branch that a response contains: its field number (0 if there is none) and its content. */
export interface Outcome {
  readonly number: number;
  readonly content: ProtoReader;
}

/**
 * Reads a response that is a oneof of messages, up to the end of the reader. If the response contains several
 * branches, the last one is used.
 */
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

/** Returns a number field. 0 if the field is absent. */
export function numberIn(message: ProtoReader, field: number): number {
  return last(message, field * 8, 0, (reader) => reader.varint());
}

/** Returns a signed 64-bit field. 0 if the field is absent. */
export function bigIn(message: ProtoReader, field: number): bigint {
  return last(message, field * 8, 0n, (reader) => reader.bigVarint());
}

/** Returns a boolean field. False if the field is absent. */
export function flagIn(message: ProtoReader, field: number): boolean {
  return numberIn(message, field) !== 0;
}

/**
 * Returns a copy of a bytes field, because a view would keep the connection's whole buffer alive. The copy is empty if
 * the field is absent.
 */
export function bytesIn(message: ProtoReader, field: number): Buffer {
  return Buffer.from(last(message, field * 8 + 2, Buffer.alloc(0), (reader) => reader.bytes()));
}

const itemTypes: readonly ItemType[] = ["scalar", "dictionary", "set", "list", "sortedSet"];

/**
 * Returns an item-type field.
 * @throws ProtoError if the type is unknown.
 */
export function itemTypeIn(message: ProtoReader, field: number): ItemType {
  const number = numberIn(message, field);
  const type = itemTypes[number];
  if (type === undefined) throw new ProtoError(`unknown item type ${number} in the response`);
  return type;
}

// Reads the message from its start and then resets the reader's position, so that the fields can be read in any order.
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
