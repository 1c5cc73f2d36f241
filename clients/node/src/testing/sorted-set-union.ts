import { invalid } from "./call-rejection.js";
import type { FakeCall } from "./fake-call.js";
import type { Name } from "./fake-values.js";
import { requireCount, requireItemSize } from "./limits.js";
import { numberField } from "./message.js";

type Aggregate = (one: number, other: number) => number;

// The aggregate functions, in the order of their numbers in the protocol.
const aggregates: readonly Aggregate[] = [(one, other) => numberOr0(one + other), Math.min, Math.max];

/** Handles `SortedSetUnionStore` (ZSET-11, ZSET-14). */
export const union: FakeCall = (cache, request) => {
  const key = request.bytes(1);
  const ttlMs = cache.ttlIn(request, 4);
  const aggregate = aggregates[request.number(3)]!;
  const sources = request.messages(2).map((source) => ({ name: source.bytes(1), weight: source.float(2) }));
  if (sources.length === 0) throw invalid("the request has no source for the union; pass at least one");
  requireCount(sources.length);
  requireItemSize([key, ...sources.map(({ name }) => name)]);
  cache.valueOfType(key, "sortedSet");
  const held = sources.map(({ name, weight }) => ({ sorted: cache.valueOfType(name, "sortedSet"), weight }));
  requireCount(held.reduce((sum, { sorted }) => sum + (sorted?.scores.size ?? 0), 0));
  const scores = new Map<Name, number>();
  for (const { sorted, weight } of held) {
    for (const [name, score] of sorted?.scores ?? []) {
      const weighted = numberOr0(score * weight);
      const before = scores.get(name);
      scores.set(name, before === undefined ? weighted : aggregate(before, weighted));
    }
  }
  if (scores.size === 0) cache.remove(key);
  else cache.put(key, { type: "sortedSet", scores }, ttlMs);
  return numberField(1, scores.size);
};

// As in Redis, the results of ∞ − ∞ and 0 × ∞ are replaced with 0.
function numberOr0(score: number): number {
  return Number.isNaN(score) ? 0 : score;
}
