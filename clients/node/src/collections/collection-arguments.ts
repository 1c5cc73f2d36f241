import { types } from "node:util";
import type {
  DictionaryItems,
  ListRange,
  SortedSetAggregate,
  SortedSetElements,
  SortedSetOrder,
  SortedSetSources,
} from "../client/client-options.js";
import { CacheError } from "../client/errors.js";
import { hasBrand } from "../client/package-brand.js";
import { ErrorResponse } from "../client/responses.js";
import { checkText, refusal, requireBytes } from "../client/validation.js";
import { type Bytes, byteLength } from "../operations/proto-writer.js";
import { ScoreBound, scoreBoundBrand } from "./score-bound.js";

/** Most elements of one request (COLL-6). */
export const maxElements = 1_048_576;
// Most bytes of one request's elements together (COLL-5): what a server reads at all.
const maxElementsBytes = 11_010_048;
// The cause that the server would give (LIM-2).
const tooLargeCause = "request_size_limit_exceeded";
const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };
const maxUint32 = 2 ** 32 - 1;

/** A field of a dictionary and its value, as they are sent. */
export type Item = readonly [field: Bytes, value: Bytes];
/** An element of a sorted set and its score, as they are sent. */
export type ScoredElement = readonly [element: Bytes, score: number];
/** A sorted set of a union and its weight, as they are sent. */
export type Source = readonly [name: Bytes, weight: number];

/** By their numbers in the contract. */
export const sortedSetOrders: readonly SortedSetOrder[] = ["ascending", "descending"];
export const sortedSetAggregates: readonly SortedSetAggregate[] = ["sum", "min", "max"];

// Lists are read once, before the call: what they throw is their caller's, and what becomes of them later is not sent.
// One that has too many, or never ends, is not asked for more than the first too many.

/** Bytes or text in an array of our own. A TypeError for what is no list of them, text among it. */
export function bytesOf(what: string, list: Iterable<Bytes>): readonly Bytes[] {
  requireList(what, list, "strings or Uint8Arrays");
  if (!(Symbol.iterator in list)) throw notIterable(what, "strings or Uint8Arrays");
  return ownList(list, (item) => ownBytes(`an item of the ${what}`, item));
}

/** Fields with their values in an array of our own. */
export function dictionaryItemsOf(items: DictionaryItems): readonly Item[] {
  requireList("items", items, "[field, value], an object, or a Map");
  return ownList(entriesOf(items), (item) => {
    const [field, value] = pairOf("an item", item);
    return [ownBytes("field", field), ownBytes("value", value)];
  });
}

/** Elements with their scores in an array of our own. */
export function scoredElementsOf(elements: SortedSetElements): readonly ScoredElement[] {
  requireList("elements", elements, "[element, score], an object, or a Map");
  return ownList(entriesOf(elements), (item) => {
    const [element, score] = pairOf("an element", item);
    return [ownBytes("element", element), ownNumber("score", score)];
  });
}

/** Ranges of a list in an array of our own. */
export function rangesOf(ranges: Iterable<ListRange>): readonly ListRange[] {
  requireList("ranges", ranges, "[begin, count]");
  if (!(Symbol.iterator in ranges)) throw notIterable("ranges", "[begin, count]");
  return ownList(ranges, (range) => {
    const [begin, count] = pairOf("a range", range);
    return [ownNumber("begin of a range", begin), ownNumber("count of a range", count)];
  });
}

/** Sorted sets of a union, with their weights, in an array of our own. */
export function sourcesOf(sources: SortedSetSources): readonly Source[] {
  requireList("sources", sources, "names or [name, weight], an object, or a Map");
  return ownList(entriesOf(sources), (source) => {
    const [name, weight = 1] = Array.isArray(source) ? (source as unknown[]) : [source];
    return [ownBytes("source", name), ownNumber("weight", weight)];
  });
}

/** What is wrong with fields of a dictionary, or null. */
export function checkFields(fields: readonly Bytes[]): ErrorResponse | null {
  return checkEach(fields, checkField, byteLength);
}

/** What is wrong with elements, which may be any bytes, or null. */
export function checkElements(elements: readonly Bytes[]): ErrorResponse | null {
  return checkEach(elements, (element) => checkText("element", element), byteLength);
}

export function checkItems(items: readonly Item[]): ErrorResponse | null {
  return checkEach(
    items,
    ([field, value]) => checkField(field) ?? checkText("value", value),
    ([field, value]) => byteLength(field) + byteLength(value),
  );
}

export function checkScoredElements(elements: readonly ScoredElement[]): ErrorResponse | null {
  return checkEach(
    elements,
    ([element, score]) => checkText("element", element) ?? checkNumber("score", score),
    ([element]) => byteLength(element),
  );
}

export function checkRanges(ranges: readonly ListRange[]): ErrorResponse | null {
  return checkEach(
    ranges,
    ([begin, count]) => checkCount("begin of a range", begin) ?? checkCount("count of a range", count),
    () => 0,
  );
}

export function checkSources(sources: readonly Source[]): ErrorResponse | null {
  return checkEach(
    sources,
    ([name, weight]) => checkSource(name) ?? checkWeight(weight),
    ([name]) => byteLength(name),
  );
}

/** What is wrong with a field of a dictionary, or null. A TypeError for what is none at all, as in all checks. */
export function checkField(field: Bytes): ErrorResponse | null {
  return checkText("field", field) ?? (field.length === 0 ? refusal("a field has at least one byte") : null);
}

/** What is wrong with a score or an amount, or null: it may be infinite. */
export function checkNumber(what: string, number: number): ErrorResponse | null {
  return Number.isNaN(ownNumber(what, number)) ? refusal(`the ${what} is no number`) : null;
}

/** What is wrong with a number that counts, or null: a whole one from 0 to `most`. */
export function checkCount(what: string, count: number, most = maxUint32): ErrorResponse | null {
  return checkWhole(what, count, 0, most);
}

/** What is wrong with a signed number of 32 bits, or null. */
export function checkSigned(what: string, number: number): ErrorResponse | null {
  return checkWhole(what, number, int32.min, int32.max);
}

/** What is wrong with an index, or null; undefined: the range has no such end. */
export function checkIndex(what: string, index: number | undefined): ErrorResponse | null {
  return index === undefined ? null : checkSigned(what, index);
}

/** A bound of scores, whatever it came in. A TypeError for what is none. */
export function boundOf(what: string, bound: ScoreBound | number | undefined): ScoreBound | undefined {
  if (bound === undefined || isBound(bound)) return bound;
  if (typeof bound === "number") return ScoreBound.inclusive(bound);
  throw new TypeError(`${what} must be a number, or a ScoreBound: ScoreBound.exclusive(1.5)`);
}

function isBound(bound: unknown): bound is ScoreBound {
  return hasBrand(bound, scoreBoundBrand);
}

/** What is wrong with a bound's score, or null. */
export function checkBound(what: string, bound: ScoreBound | undefined): ErrorResponse | null {
  return bound === undefined ? null : checkNumber(what, bound.score);
}

/** The number of one of several names. A TypeError for what is none of them. */
export function choiceOf<T extends string>(what: string, choice: T, choices: readonly T[]): number {
  const number = choices.indexOf(choice);
  if (number < 0) throw new TypeError(`${what} must be one of ${choices.join(", ")}`);
  return number;
}

function checkSource(name: Bytes): ErrorResponse | null {
  return checkText("source", name) ?? (name.length === 0 ? refusal("a source's name is empty") : null);
}

// It travels in 32 bits: past them it would be infinite without a word.
function checkWeight(weight: number): ErrorResponse | null {
  const fits = Math.abs(weight) === Number.POSITIVE_INFINITY || Number.isFinite(Math.fround(weight));
  return checkNumber("weight", weight) ?? (fits ? null : refusal("the weight is over a 32-bit number"));
}

function checkWhole(what: string, number: number, least: number, most: number): ErrorResponse | null {
  ownNumber(what, number);
  if (Number.isInteger(number) && number >= least && number <= most) return null;
  return refusal(`the ${what} is a whole number from ${least} to ${most}, not ${number}`);
}

function checkEach<T>(
  list: readonly T[],
  check: (item: T) => ErrorResponse | null,
  bytesOf: (item: T) => number,
): ErrorResponse | null {
  if (list.length > maxElements) return tooLarge(`a request has at most ${maxElements} elements`);
  let bytes = 0;
  for (const item of list) {
    const invalid = check(item);
    if (invalid !== null) return invalid;
    bytes += bytesOf(item);
  }
  return bytes > maxElementsBytes ? tooLarge(`a request has at most ${maxElementsBytes} bytes`) : null;
}

function tooLarge(reason: string): ErrorResponse {
  return new ErrorResponse(new CacheError("LimitExceeded", reason, tooLargeCause));
}

function requireList(what: string, list: unknown, of: string): void {
  if (typeof list !== "object" || list === null || types.isUint8Array(list)) throw notIterable(what, of);
}

function notIterable(what: string, of: string): TypeError {
  return new TypeError(`the ${what} must be an iterable of ${of}`);
}

function entriesOf(list: object): Iterable<unknown> {
  return Symbol.iterator in list ? (list as Iterable<unknown>) : Object.entries(list);
}

function ownList<T, R>(list: Iterable<T>, own: (item: T) => R): readonly R[] {
  const all: R[] = [];
  for (const item of list) {
    all.push(own(item));
    if (all.length > maxElements) break;
  }
  return all;
}

// A text of two characters could be taken apart, too.
function pairOf(what: string, pair: unknown): readonly unknown[] {
  if (!Array.isArray(pair)) throw new TypeError(`${what} must be an array of two`);
  return pair as readonly unknown[];
}

function ownBytes(what: string, bytes: unknown): Bytes {
  requireBytes(what, bytes);
  return bytes as Bytes;
}

function ownNumber(what: string, number: unknown): number {
  if (typeof number !== "number") throw new TypeError(`the ${what} must be a number`);
  return number;
}
