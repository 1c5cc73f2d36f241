import type { Buffer } from "node:buffer";
import { elementsAnswer, type FakeCall, foundAnswer, lengthAnswer, missingAnswer } from "./fake-call.js";
import type { List } from "./fake-values.js";
import { elementsIn } from "./limits.js";
import { field, numberField } from "./message.js";
import { sliceOf } from "./slice.js";

type End = "front" | "back";

// Returns the call that adds elements at one end of a list. It implements both push and concatenate, because both
// requests have the new elements in the same field.
function adding(end: End): FakeCall {
  return (cache, request) => {
    const key = request.bytes(1);
    const values = elementsIn(request, 2);
    const ttl = cache.collectionTtlIn(request, 3);
    const list = cache.valueOfType(key, "list") ?? { type: "list", elements: [], base: 0, removed: 0 };
    if (end === "front") {
      list.elements = values.concat(list.elements);
      list.base -= values.length;
    } else list.elements = list.elements.concat(values);
    truncate(list, end, request.number(5));
    cache.written(key, list, ttl);
    return numberField(1, list.elements.length);
  };
}

// Truncates the list to a size. If elements were added at the front, removes elements at the back. If elements were
// added at the back, removes elements at the front (LIST-3).
function truncate(list: List, added: End, size: number): void {
  const more = list.elements.length - size;
  if (size === 0 || more <= 0) return;
  list.elements.splice(added === "front" ? size : 0, more);
  if (added === "back") list.base += more;
}

function popping(end: End): FakeCall {
  return (cache, request) => {
    const key = request.bytes(1);
    const list = cache.valueOfType(key, "list");
    if (list === undefined) return missingAnswer;
    const popped = end === "front" ? list.elements.shift() : list.elements.pop();
    if (end === "front") list.base++;
    cache.taken(key, list);
    return foundAnswer([field(1, popped!), numberField(2, list.elements.length)]);
  };
}

const fetch: FakeCall = (cache, request) => {
  const list = cache.valueOfType(request.bytes(1), "list");
  if (list === undefined) return missingAnswer;
  const { start, end } = sliceOf(list.elements.length, request.zigzag(3), request.zigzag(5));
  return start >= end ? missingAnswer : elementsAnswer(list.elements.slice(start, end), "a shorter slice");
};

const retain: FakeCall = (cache, request) => {
  const key = request.bytes(1);
  const refreshes = request.flag(7);
  const ttlMs = refreshes ? cache.ttlIn(request, 6) : 0;
  const list = cache.valueOfType(key, "list");
  if (list === undefined) return missingAnswer;
  const { start, end } = sliceOf(list.elements.length, request.zigzag(3), request.zigzag(5));
  list.elements = list.elements.slice(start, Math.max(start, end));
  list.base += start;
  cache.written(key, list, { ttlMs, refreshes });
  return lengthAnswer(list.elements.length);
};

const remove: FakeCall = (cache, request) => {
  const value = request.bytes(2);
  return filtered((element) => !element.equals(value))(cache, request);
};

const erase: FakeCall = (cache, request) => {
  const ranges = request.message(2).messages(1);
  const erased = new Set<number>();
  const length = cache.valueOfType(request.bytes(1), "list")?.elements.length ?? 0;
  for (const range of ranges) {
    const begin = range.number(1);
    for (let i = begin; i < Math.min(begin + range.number(2), length); i++) erased.add(i);
  }
  return filtered((_, i) => !erased.has(i))(cache, request);
};

function filtered(stays: (element: Buffer, i: number) => boolean): FakeCall {
  return (cache, request) => {
    const key = request.bytes(1);
    const list = cache.valueOfType(key, "list");
    if (list === undefined) return missingAnswer;
    const before = list.elements.length;
    list.elements = list.elements.filter(stays);
    list.removed += before - list.elements.length;
    cache.taken(key, list);
    return lengthAnswer(list.elements.length);
  };
}

const length: FakeCall = (cache, request) => {
  const list = cache.valueOfType(request.bytes(1), "list");
  return list === undefined ? missingAnswer : lengthAnswer(list.elements.length);
};

/** The calls on lists, by RPC name. */
export const listCalls: Readonly<Record<string, FakeCall>> = {
  ListPushFront: adding("front"),
  ListPushBack: adding("back"),
  ListConcatenateFront: adding("front"),
  ListConcatenateBack: adding("back"),
  ListPopFront: popping("front"),
  ListPopBack: popping("back"),
  ListFetch: fetch,
  ListRetain: retain,
  ListRemove: remove,
  ListErase: erase,
  ListLength: length,
};
