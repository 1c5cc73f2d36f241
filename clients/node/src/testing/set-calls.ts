import type { Buffer } from "node:buffer";
import { invalid } from "./call-rejection.js";
import type { FakeCache } from "./fake-cache.js";
import { elementsAnswer, emptyAnswer, type FakeCall, foundAnswer, lengthAnswer, missingAnswer } from "./fake-call.js";
import { bytesOf, type ElementSet, type Name, nameOf } from "./fake-values.js";
import { elementsIn } from "./limits.js";
import { type Message, numberField } from "./message.js";

const fetch: FakeCall = (cache, request) => {
  const set = there(cache, request);
  return set === undefined ? missingAnswer : elementsAnswer([...set.elements].map(bytesOf), "scanItems");
};

const sample: FakeCall = (cache, request) => {
  const set = there(cache, request);
  if (set === undefined) return missingAnswer;
  return elementsAnswer(chosen(set, request.number(2)).map(bytesOf), "a smaller limit");
};

const pop: FakeCall = (cache, request) => {
  if (request.number(2) === 0) throw invalid("the count must be at least 1, but is 0");
  const set = there(cache, request);
  if (set === undefined) return missingAnswer;
  const popped = chosen(set, request.number(2));
  const answer = elementsAnswer(popped.map(bytesOf), "a smaller count");
  for (const name of popped) set.elements.delete(name);
  cache.taken(request.bytes(1), set);
  return answer;
};

const union: FakeCall = (cache, request) => {
  const elements = elementsIn(request, 2);
  const ttl = cache.collectionTtlIn(request, 3);
  const set = there(cache, request) ?? { type: "set", elements: new Set() };
  for (const each of elements) set.elements.add(nameOf(each));
  cache.written(request.bytes(1), set, ttl);
  return emptyAnswer;
};

const difference: FakeCall = (cache, request) => {
  const key = request.bytes(1);
  const minuend = elementsIn(request.message(2), 1);
  const subtrahend = elementsIn(request.message(3).message(1), 1);
  const set = there(cache, request);
  if (set === undefined) return missingAnswer;
  if (request.has(2)) keep(set, minuend);
  else for (const each of subtrahend) set.elements.delete(nameOf(each));
  cache.taken(key, set);
  return foundAnswer();
};

function keep(set: ElementSet, minuend: readonly Buffer[]): void {
  const left = minuend.map(nameOf).filter((name) => !set.elements.has(name));
  set.elements.clear();
  for (const name of left) set.elements.add(name);
}

const contains: FakeCall = (cache, request) => {
  const asked = elementsIn(request, 2);
  const set = there(cache, request);
  if (set === undefined) return missingAnswer;
  return foundAnswer(asked.map((each) => numberField(1, set.elements.has(nameOf(each)) ? 1 : 0)));
};

const length: FakeCall = (cache, request) => {
  const set = there(cache, request);
  return set === undefined ? missingAnswer : lengthAnswer(set.elements.size);
};

function there(cache: FakeCache, request: Message): ElementSet | undefined {
  return cache.valueOfType(request.bytes(1), "set");
}

// Returns at most `count` random elements, in random order.
function chosen(set: ElementSet, count: number): readonly Name[] {
  const names = [...set.elements];
  const many = Math.min(count, names.length);
  for (let i = 0; i < many; i++) {
    const other = i + Math.floor(Math.random() * (names.length - i));
    [names[i], names[other]] = [names[other]!, names[i]!];
  }
  return names.slice(0, many);
}

/** The calls on sets, by RPC name. */
export const setCalls: Readonly<Record<string, FakeCall>> = {
  SetFetch: fetch,
  SetSample: sample,
  SetPop: pop,
  SetUnion: union,
  SetDifference: difference,
  SetContains: contains,
  SetLength: length,
};
