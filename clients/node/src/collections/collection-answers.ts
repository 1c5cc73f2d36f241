import { Buffer } from "node:buffer";
import { numberIn, outcomeOf } from "../operations/answers.js";
import { ProtoError, ProtoReader } from "../operations/proto-reader.js";
import { CacheResult } from "../operations/scalar-operations.js";
import type { Parts } from "./collection-hits.js";

// What answers of collections are made of. The parts of one answer stand in one buffer, so that many small ones are few
// objects until they are asked for.

/** Runs of bytes of one buffer: each a start and an end, below 0 for one that is not there. */
class Slices {
  readonly #bounds: number[] = [];

  constructor(private readonly source: Buffer) {}

  get count(): number {
    return this.#bounds.length / 2;
  }

  add([start, end]: Bounds): void {
    this.#bounds.push(start, end);
  }

  has(i: number): boolean {
    return this.#bounds[i * 2]! >= 0;
  }

  text(i: number): string {
    return this.source.toString("utf8", this.#bounds[i * 2], this.#bounds[i * 2 + 1]);
  }

  bytes(i: number): Buffer {
    return this.source.subarray(this.#bounds[i * 2], this.#bounds[i * 2 + 1]);
  }
}

/** A field that is a number of 64 bits with a point; 0 where it is left out. */
export function doubleIn(message: ProtoReader, field: number): number {
  let value = 0;
  eachField(message, field * 8 + 1, (reader) => {
    value = reader.double();
  });
  return value;
}

/** A repeated bool, packed or not: one for each that was asked for. */
export function flagsIn(message: ProtoReader, field: number, asked: number): readonly boolean[] {
  const flags: boolean[] = [];
  const start = message.position;
  while (message.more) {
    const tag = message.varint();
    if (tag === field * 8) flags.push(message.varint() !== 0);
    else if (tag === field * 8 + 2) message.nested((packed) => readFlags(packed, flags));
    else message.skip(tag);
  }
  message.position = start;
  requireCount(asked, flags.length);
  return flags;
}

/** A repeated bytes. */
export function listIn(message: ProtoReader, field: number): Parts<string, Buffer> {
  const own = ownOf(message);
  const slices = new Slices(own.buffer);
  eachField(own, field * 8 + 2, (reader) => slices.add(contentOf(reader)));
  return slices;
}

/** A dictionary's fields with their values. */
export function itemsIn(
  message: ProtoReader,
  field: number,
): Parts<readonly [string, string], readonly [Buffer, Buffer]> {
  const own = ownOf(message);
  const fields = new Slices(own.buffer);
  const values = new Slices(own.buffer);
  eachMessage(own, field, (item) => {
    fields.add(boundsIn(item, 1));
    values.add(boundsIn(item, 2));
  });
  return {
    count: fields.count,
    text: (i) => [fields.text(i), values.text(i)],
    bytes: (i) => [fields.bytes(i), values.bytes(i)],
  };
}

/** A sorted set's elements with their scores. */
export function scoredIn(
  message: ProtoReader,
  field: number,
): Parts<readonly [string, number], readonly [Buffer, number]> {
  const own = ownOf(message);
  const elements = new Slices(own.buffer);
  const scores: number[] = [];
  eachMessage(own, field, (item) => {
    elements.add(boundsIn(item, 1));
    scores.push(doubleIn(item, 2));
  });
  return {
    count: scores.length,
    text: (i) => [elements.text(i), scores[i]!],
    bytes: (i) => [elements.bytes(i), scores[i]!],
  };
}

/** Parts that each have bytes or miss them: one for each that was asked for. */
export function partsIn(message: ProtoReader, field: number, asked: number): Parts<string | null, Buffer | null> {
  const own = ownOf(message);
  const slices = new Slices(own.buffer);
  eachMessage(own, field, (part) => slices.add(isHit(part, 1) ? boundsIn(part, 2) : missed));
  requireCount(asked, slices.count);
  return {
    count: slices.count,
    text: (i) => (slices.has(i) ? slices.text(i) : null),
    bytes: (i) => (slices.has(i) ? slices.bytes(i) : null),
  };
}

/** Parts that each have a number or miss it: one for each that was asked for. */
export function scoresIn(message: ProtoReader, field: number, asked: number): readonly (number | null)[] {
  const scores: (number | null)[] = [];
  eachMessage(message, field, (part) => {
    scores.push(isHit(part, 1) ? doubleIn(part, 2) : null);
  });
  requireCount(asked, scores.length);
  return scores;
}

/** Whether a part of an answer has what it is for. */
export function isHit(part: ProtoReader, field: number): boolean {
  const result = numberIn(part, field);
  if (result === CacheResult.hit) return true;
  if (result === CacheResult.miss) return false;
  throw new ProtoError(`a part was answered with result ${result}`);
}

/** A message whose outcome is one known field; another one is an answer to some other question. */
export function branchIn(message: ProtoReader, field: number): ProtoReader {
  const { number, content } = outcomeOf(message);
  if (number === field) return content;
  throw new ProtoError(`the answer has branch ${number}, not ${field}, which was asked for`);
}

type Bounds = readonly [start: number, end: number];

const missed: Bounds = [-1, -1];

// Reads the message from its start and leaves it there, so that each field can be asked for by itself.
function eachField(message: ProtoReader, wanted: number, read: (reader: ProtoReader) => void): void {
  const start = message.position;
  while (message.more) {
    const tag = message.varint();
    if (tag === wanted) read(message);
    else message.skip(tag);
  }
  message.position = start;
}

function eachMessage(message: ProtoReader, field: number, read: (reader: ProtoReader) => void): void {
  eachField(message, field * 8 + 2, (reader) => reader.nested(read));
}

/** Where a field of bytes stands; nowhere, and so empty, where it is left out. */
function boundsIn(message: ProtoReader, field: number): Bounds {
  let bounds: Bounds = [0, 0];
  eachField(message, field * 8 + 2, (reader) => {
    bounds = contentOf(reader);
  });
  return bounds;
}

function contentOf(reader: ProtoReader): Bounds {
  const end = reader.fieldEnd();
  const start = reader.position;
  reader.position = end;
  return [start, end];
}

function readFlags(reader: ProtoReader, into: boolean[]): void {
  while (reader.more) into.push(reader.varint() !== 0);
}

/** The message in a buffer of its own: a view would keep the connection's whole buffer alive. */
function ownOf(message: ProtoReader): ProtoReader {
  return new ProtoReader(Buffer.from(message.buffer.subarray(message.position, message.end)));
}

function requireCount(asked: number, answered: number): void {
  if (answered !== asked) throw new ProtoError(`${asked} were asked for, and ${answered} answered`);
}
