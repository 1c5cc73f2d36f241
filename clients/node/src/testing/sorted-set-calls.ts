import { Buffer } from "node:buffer";
import { failedPrecondition } from "./call-rejection.js";
import type { FakeCache } from "./fake-cache.js";
import { emptyAnswer, type FakeCall, foundAnswer, lengthAnswer, missingAnswer, partOf } from "./fake-call.js";
import { bytesOf, type Name, nameOf, type SortedSet } from "./fake-values.js";
import { elementsIn, requireAnswerSize, requireCount, requireItemSize, scoreOverhead } from "./limits.js";
import { doubleField, field, type Message, numberField } from "./message.js";
import { sliceOf } from "./slice.js";
import { union } from "./sorted-set-union.js";

type Scored = readonly [Name, number];

const descending = 1;

const put: FakeCall = (cache, request) => {
  const key = request.bytes(1);
  const elements = request.messages(2);
  const ttl = cache.collectionTtlIn(request, 3);
  requireCount(elements.length);
  requireItemSize([key, ...elements.map((element) => element.bytes(1))]);
  const sorted = there(cache, key);
  for (const element of elements) sorted.scores.set(nameOf(element.bytes(1)), element.double(2) ?? 0);
  cache.written(key, sorted, ttl);
  return emptyAnswer;
};

const fetch: FakeCall = (cache, request) => {
  const sorted = cache.valueOfType(request.bytes(1), "sortedSet");
  if (sorted === undefined) return missingAnswer;
  const ordered = inOrder(sorted, request.number(2));
  const some = request.has(4) ? byIndex(ordered, request.message(4)) : byScore(ordered, request.message(5));
  requireAnswerSize(
    some.map(([name]) => name.length),
    scoreOverhead,
    "a smaller range",
  );
  const elements = some.map(([name, score]) => field(1, field(1, bytesOf(name)), doubleField(2, score)));
  return foundAnswer([field(1, Buffer.concat(elements))]);
};

function byIndex(ordered: readonly Scored[], range: Message): readonly Scored[] {
  const { start, end } = sliceOf(ordered.length, range.zigzag(2), range.zigzag(4));
  return ordered.slice(start, Math.max(start, end));
}

function byScore(ordered: readonly Scored[], range: Message): readonly Scored[] {
  const above = range.has(2) ? boundIn(range.message(2)) : null;
  const below = range.has(4) ? boundIn(range.message(4)) : null;
  const offset = range.number(5);
  const count = range.zigzag(6) ?? 0;
  const some = ordered.filter(([, score]) => isBetween(score, above, below));
  return some.slice(offset, count < 0 ? undefined : offset + count);
}

interface Bound {
  readonly score: number;
  readonly isExclusive: boolean;
}

function boundIn(bound: Message): Bound {
  return { score: bound.double(1) ?? 0, isExclusive: bound.flag(2) };
}

function isBetween(score: number, above: Bound | null, below: Bound | null): boolean {
  if (above !== null && (above.isExclusive ? score <= above.score : score < above.score)) return false;
  return below === null || (below.isExclusive ? score < below.score : score <= below.score);
}

const getScore: FakeCall = (cache, request) => {
  const asked = elementsIn(request, 2);
  const sorted = cache.valueOfType(request.bytes(1), "sortedSet");
  if (sorted === undefined) return missingAnswer;
  const scores = asked.map((element) => sorted.scores.get(nameOf(element)));
  return foundAnswer(scores.map((score) => field(1, partOf(score === undefined ? null : doubleField(2, score)))));
};

const getRank: FakeCall = (cache, request) => {
  const name = nameOf(request.bytes(2));
  const sorted = cache.valueOfType(request.bytes(1), "sortedSet");
  if (sorted === undefined) return missingAnswer;
  const rank = inOrder(sorted, request.number(3)).findIndex(([each]) => each === name);
  return foundAnswer([partOf(rank < 0 ? null : numberField(2, rank))]);
};

const increment: FakeCall = (cache, request) => {
  const [key, element] = [request.bytes(1), request.bytes(2)];
  const ttl = cache.collectionTtlIn(request, 4);
  requireItemSize([key, element]);
  const sorted = there(cache, key);
  const sum = (sorted.scores.get(nameOf(element)) ?? 0) + (request.double(3) ?? 0);
  if (Number.isNaN(sum))
    throw failedPrecondition("the increment would add infinity and minus infinity; the value was not changed");
  sorted.scores.set(nameOf(element), sum);
  cache.written(key, sorted, ttl);
  return doubleField(1, sum);
};

const remove: FakeCall = (cache, request) => {
  const key = request.bytes(1);
  const some = elementsIn(request.message(3), 1);
  const sorted = cache.valueOfType(key, "sortedSet");
  if (sorted === undefined) return emptyAnswer;
  for (const element of some) sorted.scores.delete(nameOf(element));
  cache.taken(key, sorted);
  return emptyAnswer;
};

const length: FakeCall = (cache, request) => {
  const sorted = cache.valueOfType(request.bytes(1), "sortedSet");
  return sorted === undefined ? missingAnswer : lengthAnswer(sorted.scores.size);
};

const lengthByScore: FakeCall = (cache, request) => {
  const above = boundOf(request, 2, 3);
  const below = boundOf(request, 5, 6);
  const sorted = cache.valueOfType(request.bytes(1), "sortedSet");
  if (sorted === undefined) return missingAnswer;
  return lengthAnswer([...sorted.scores.values()].filter((score) => isBetween(score, above, below)).length);
};

function boundOf(request: Message, inclusive: number, exclusive: number): Bound | null {
  const isExclusive = request.has(exclusive);
  const score = request.double(isExclusive ? exclusive : inclusive);
  return score === undefined ? null : { score, isExclusive };
}

// Returns the elements in order: lowest or highest score first. Elements with equal scores are ordered by their bytes.
function inOrder({ scores }: SortedSet, order: number): readonly Scored[] {
  const sign = order === descending ? -1 : 1;
  return [...scores].sort(([one, low], [other, high]) => sign * (low - high || (one < other ? -1 : 1)));
}

function there(cache: FakeCache, key: Buffer): SortedSet {
  return cache.valueOfType(key, "sortedSet") ?? { type: "sortedSet", scores: new Map() };
}

/** The calls on sorted sets, by RPC name. */
export const sortedSetCalls: Readonly<Record<string, FakeCall>> = {
  SortedSetPut: put,
  SortedSetFetch: fetch,
  SortedSetGetScore: getScore,
  SortedSetGetRank: getRank,
  SortedSetIncrement: increment,
  SortedSetRemove: remove,
  SortedSetLength: length,
  SortedSetLengthByScore: lengthByScore,
  SortedSetUnionStore: union,
};
