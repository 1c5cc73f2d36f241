import { Buffer } from "node:buffer";
import { ProtoError, ProtoReader } from "../operations/proto-reader.js";
import { numberIn, outcomeOf } from "../operations/response-fields.js";
import { CacheResult } from "../operations/scalar-operations.js";
import type { Parts } from "./collection-hits.js";

// Functions that decode parts of collection responses. The parts of one response share one buffer. As a result, many
// small parts need few objects until they are read.

/**
 * The positions of parts in one buffer: the start and the end of each part. If a part is missing, both are negative.
 */
class ByteRanges {
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

/** Returns a field of type double; 0 if it is absent. */
export function doubleIn(message: ProtoReader, field: number): number {
  let value = 0;
  eachField(message, field * 8 + 1, (reader) => {
    value = reader.double();
  });
  return value;
}

/** Returns a repeated bool field, which may be packed. The field must have one value per requested element. */
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

/** Returns a repeated bytes field. */
export function listIn(message: ProtoReader, field: number): Parts<string, Buffer> {
  const own = ownOf(message);
  const slices = new ByteRanges(own.buffer);
  eachField(own, field * 8 + 2, (reader) => slices.add(contentOf(reader)));
  return slices;
}

/** Returns a dictionary's fields with their values. */
export function itemsIn(
  message: ProtoReader,
  field: number,
): Parts<readonly [string, string], readonly [Buffer, Buffer]> {
  const own = ownOf(message);
  const fields = new ByteRanges(own.buffer);
  const values = new ByteRanges(own.buffer);
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

/** Returns a sorted set's elements with their scores. */
export function scoredIn(
  message: ProtoReader,
  field: number,
): Parts<readonly [string, number], readonly [Buffer, number]> {
  const own = ownOf(message);
  const elements = new ByteRanges(own.buffer);
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

/** Returns one part for each requested element. A part is null if the collection does not contain the element. */
export function partsIn(message: ProtoReader, field: number, asked: number): Parts<string | null, Buffer | null> {
  const own = ownOf(message);
  const slices = new ByteRanges(own.buffer);
  eachMessage(own, field, (part) => slices.add(isHit(part, 1) ? boundsIn(part, 2) : missed));
  requireCount(asked, slices.count);
  return {
    count: slices.count,
    text: (i) => (slices.has(i) ? slices.text(i) : null),
    bytes: (i) => (slices.has(i) ? slices.bytes(i) : null),
  };
}

/** Returns one score for each requested element. A score is null if the set does not contain the element. */
export function scoresIn(message: ProtoReader, field: number, asked: number): readonly (number | null)[] {
  const scores: (number | null)[] = [];
  eachMessage(message, field, (part) => {
    scores.push(isHit(part, 1) ? doubleIn(part, 2) : null);
  });
  requireCount(asked, scores.length);
  return scores;
}

/**
 * Returns whether a part of a response is a hit.
 * @throws ProtoError if the part is neither a hit nor a miss.
 */
export function isHit(part: ProtoReader, field: number): boolean {
  const result = numberIn(part, field);
  if (result === CacheResult.hit) return true;
  if (result === CacheResult.miss) return false;
  throw new ProtoError(`an element of the response has the unknown result ${result}`);
}

/**
 * Returns the content of a response. The response's outcome must be `field`.
 * @throws ProtoError if the response has another outcome.
 */
export function branchIn(message: ProtoReader, field: number): ProtoReader {
  const { number, content } = outcomeOf(message);
  if (number === field) return content;
  throw new ProtoError(`the response contains field ${number} instead of field ${field}`);
}

type Bounds = readonly [start: number, end: number];

const missed: Bounds = [-1, -1];

// Reads the message from its start and then resets the reader's position, so that the fields can be read in any order.
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

/** Returns the position of a bytes field. If the field is absent, returns an empty range. */
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

/** Copies the message to a buffer of its own, because a view would keep the connection's whole buffer alive. */
function ownOf(message: ProtoReader): ProtoReader {
  return new ProtoReader(Buffer.from(message.buffer.subarray(message.position, message.end)));
}

function requireCount(asked: number, answered: number): void {
  if (answered !== asked) throw new ProtoError(`the response has ${answered} elements instead of ${asked}`);
}
