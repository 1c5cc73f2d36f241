import type { Buffer } from "node:buffer";
import type { ListRange } from "../client/client-options.js";
import { ProtoReader } from "../operations/proto-reader.js";
import { type Bytes, byteLength, fieldLength, ProtoWriter, varintLength, zigzag } from "../operations/proto-writer.js";
import type { Item, ScoredElement, Source } from "./collection-arguments.js";
import type { WireTtl } from "./collection-ttl.js";
import type { ScoreBound } from "./score-bound.js";

// Functions that encode parts of collection requests: lists and optional fields. Each field's tag is one byte.

/** An encoded list. The list is encoded when the call is made, so later changes by the caller are not sent. */
export interface EncodedList {
  /** Number of items. */
  readonly count: number;
  readonly bytes: Buffer;
}

// The size of a bool field that is true. An empty message field has the same size.
const shortFieldBytes = 2;
const doubleFieldBytes = 9;
const floatFieldBytes = 5;

/** Encodes byte strings as a repeated protobuf field. */
export function encodedBytes(tag: number, list: readonly Bytes[]): EncodedList {
  return encoded(
    list,
    (bytes) => fieldLength(byteLength(bytes)),
    (writer, bytes) => writer.bytesField(tag, bytes, byteLength(bytes)),
  );
}

/** Encodes dictionary fields and their values as a repeated protobuf field. */
export function encodedItems(tag: number, items: readonly Item[]): EncodedList {
  return encodedMessages(
    tag,
    items,
    ([field, value]) => fieldLength(byteLength(field)) + fieldLength(byteLength(value)),
    (writer, [field, value]) => {
      writer.bytesField(10, field, byteLength(field));
      writer.bytesField(18, value, byteLength(value));
    },
  );
}

/** Encodes sorted-set elements and their scores as a repeated protobuf field. */
export function encodedElements(tag: number, elements: readonly ScoredElement[]): EncodedList {
  return encodedMessages(
    tag,
    elements,
    ([element]) => fieldLength(byteLength(element)) + doubleFieldBytes,
    (writer, [element, score]) => {
      writer.bytesField(10, element, byteLength(element));
      writer.byte(17);
      writer.double(score);
    },
  );
}

/** Encodes list ranges as a repeated protobuf field. */
export function encodedRanges(tag: number, ranges: readonly ListRange[]): EncodedList {
  return encodedMessages(
    tag,
    ranges,
    ([begin, count]) => 2 + varintLength(begin) + varintLength(count),
    (writer, [begin, count]) => {
      writer.byte(8);
      writer.varint(begin);
      writer.byte(16);
      writer.varint(count);
    },
  );
}

/** Encodes sorted sets and their weights as a repeated protobuf field. */
export function encodedSources(tag: number, sources: readonly Source[]): EncodedList {
  return encodedMessages(
    tag,
    sources,
    ([name]) => fieldLength(byteLength(name)) + floatFieldBytes,
    (writer, [name, weight]) => {
      writer.bytesField(10, name, byteLength(name));
      writer.byte(21);
      writer.float(weight);
    },
  );
}

/** Calls `tell` with the key of each encoded source set. */
export function eachSource({ bytes }: EncodedList, tell: (key: Bytes) => void): void {
  const sources = new ProtoReader(bytes);
  while (sources.more) {
    sources.varint();
    sources.nested((source) => {
      source.varint();
      tell(source.bytes());
    });
  }
}

export function writeList(writer: ProtoWriter, list: EncodedList): void {
  writer.raw(list.bytes, list.bytes.length);
}

/** Returns the encoded length of a TTL. If the call refreshes the TTL, the length includes a second field. */
export function ttlLength(ttl: WireTtl): number {
  return 1 + varintLength(ttl.ttlMs) + (ttl.refreshes ? shortFieldBytes : 0);
}

export function writeTtl(writer: ProtoWriter, tag: number, refreshTag: number, ttl: WireTtl): void {
  writer.byte(tag);
  writer.varint(ttl.ttlMs);
  if (!ttl.refreshes) return;
  writer.byte(refreshTag);
  writer.byte(1);
}

/**
 * Returns the encoded length of one end of an index range. An undefined end is encoded as an empty message, which means
 * "unbounded".
 */
export function indexLength(index: number | undefined): number {
  return index === undefined ? shortFieldBytes : 1 + varintLength(zigzag(index));
}

export function writeIndex(writer: ProtoWriter, tag: number, unboundedTag: number, index: number | undefined): void {
  if (index === undefined) {
    writer.header(unboundedTag, 0);
    return;
  }
  writer.byte(tag);
  writer.varint(zigzag(index));
}

/**
 * Returns the encoded length of one end of a score range, as a message. An undefined end is encoded as an empty
 * message, which means "unbounded".
 */
export function boundLength(bound: ScoreBound | undefined): number {
  return bound === undefined ? shortFieldBytes : fieldLength(boundContentLength(bound));
}

export function writeBound(
  writer: ProtoWriter,
  tag: number,
  unboundedTag: number,
  bound: ScoreBound | undefined,
): void {
  if (bound === undefined) {
    writer.header(unboundedTag, 0);
    return;
  }
  writer.header(tag, boundContentLength(bound));
  writer.byte(9);
  writer.double(bound.score);
  if (!bound.isExclusive) return;
  writer.byte(16);
  writer.byte(1);
}

/** Returns the encoded length of one end of a score range. The end is one of two fields: inclusive or exclusive. */
export function scoreLength(bound: ScoreBound | undefined): number {
  return bound === undefined ? shortFieldBytes : doubleFieldBytes;
}

export function writeScore(
  writer: ProtoWriter,
  tag: number,
  exclusiveTag: number,
  unboundedTag: number,
  bound: ScoreBound | undefined,
): void {
  if (bound === undefined) {
    writer.header(unboundedTag, 0);
    return;
  }
  writer.byte(bound.isExclusive ? exclusiveTag : tag);
  writer.double(bound.score);
}

function boundContentLength(bound: ScoreBound): number {
  return doubleFieldBytes + (bound.isExclusive ? shortFieldBytes : 0);
}

function encodedMessages<T>(
  tag: number,
  list: readonly T[],
  lengthOf: (item: T) => number,
  write: (writer: ProtoWriter, item: T) => void,
): EncodedList {
  return encoded(
    list,
    (item) => fieldLength(lengthOf(item)),
    (writer, item) => {
      writer.header(tag, lengthOf(item));
      write(writer, item);
    },
  );
}

function encoded<T>(
  list: readonly T[],
  lengthOf: (item: T) => number,
  write: (writer: ProtoWriter, item: T) => void,
): EncodedList {
  const writer = new ProtoWriter(list.reduce((sum, item) => sum + lengthOf(item), 0));
  for (const item of list) write(writer, item);
  return { count: list.length, bytes: writer.written() };
}
