import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import type { LookupResponse } from "../../src/client/responses.js";
import type { ScoredElementsHit } from "../../src/collections/collection-hits.js";
import { CollectionTtl } from "../../src/collections/collection-ttl.js";
import { ScoreBound } from "../../src/collections/score-bound.js";
import { codeOf, hoursLeft, onServer, refusesOtherTypes } from "../support/collections.js";

const infinite = Number.POSITIVE_INFINITY;

onServer("sorted sets", (cache) => {
  async function told(response: Promise<LookupResponse<ScoredElementsHit>>): Promise<unknown> {
    const { result, elements } = (await response) as { result: string; elements?: unknown };
    return elements ?? result;
  }

  test("fetches elements by rank in both orders", async () => {
    await cache().sortedSetPut("z", [
      ["b", 2],
      ["a", 1],
      [Buffer.from("c"), infinite],
      ["", -infinite],
    ]);
    assert.deepEqual(await told(cache().sortedSetFetchByRank("z")), [
      ["", -infinite],
      ["a", 1],
      ["b", 2],
      ["c", infinite],
    ]);
    const descending = { order: "descending", start: 1, end: 3 } as const;
    assert.deepEqual(await told(cache().sortedSetFetchByRank("z", descending)), [
      ["b", 2],
      ["a", 1],
    ]);
    assert.deepEqual(await told(cache().sortedSetFetchByRank("z", { start: 10 })), []);
    assert.deepEqual(await cache().sortedSetGetRank("z", "b"), { result: "hit", rank: 2 });
    assert.deepEqual(await cache().sortedSetGetRank("z", "b", { order: "descending" }), { result: "hit", rank: 1 });
    assert.equal((await cache().sortedSetGetRank("z", "none")).result, "miss");
    assert.deepEqual(await cache().sortedSetGetScore("z", ["a", "none", "c"]), {
      result: "hit",
      scores: [1, null, infinite],
    });
  });

  test("fetches and counts elements by score range", async () => {
    await cache().sortedSetPut("s", { a: 1, b: 2, c: 3, d: 4 });
    const { exclusive } = ScoreBound;
    assert.deepEqual(await told(cache().sortedSetFetchByScore("s", { min: 2, max: exclusive(4) })), [
      ["b", 2],
      ["c", 3],
    ]);
    assert.deepEqual(await told(cache().sortedSetFetchByScore("s", { order: "descending", offset: 1, count: 2 })), [
      ["c", 3],
      ["b", 2],
    ]);
    assert.deepEqual(await told(cache().sortedSetFetchByScore("s", { min: 9 })), []);
    assert.deepEqual(await cache().sortedSetLengthByScore("s", { min: exclusive(1) }), { result: "hit", length: 3 });
    assert.deepEqual(await cache().sortedSetLengthByScore("s", { max: 1 }), { result: "hit", length: 1 });
    assert.deepEqual(await cache().sortedSetLengthByScore("s"), { result: "hit", length: 4 });
    assert.deepEqual(await cache().sortedSetLength("s"), { result: "hit", length: 4 });
  });

  test("sortedSetIncrement rejects a result that is not a number", async () => {
    assert.deepEqual(await cache().sortedSetIncrement("n", "a"), { result: "success", score: 1 });
    assert.deepEqual(await cache().sortedSetIncrement("n", "a", -2.5), { result: "success", score: -1.5 });
    assert.deepEqual(await cache().sortedSetIncrement("n", "a", infinite), { result: "success", score: infinite });
    assert.equal(codeOf(await cache().sortedSetIncrement("n", "a", -infinite)), "FailedPrecondition");
  });

  test("sortedSetUnionStore replaces the target with the weighted union", async () => {
    await cache().sortedSetPut("x", { a: 1, b: 2 });
    await cache().sortedSetPut("y", { b: 10, c: 20 });
    assert.deepEqual(await cache().sortedSetUnionStore("u", ["x", ["y", 0.5]]), { result: "success", length: 3 });
    assert.deepEqual(await told(cache().sortedSetFetchByRank("u")), [
      ["a", 1],
      ["b", 7],
      ["c", 10],
    ]);
    await cache().sortedSetUnionStore("u", ["x", "y"], { aggregate: "max", ttlMs: 7_200_000 });
    assert.deepEqual(await told(cache().sortedSetFetchByRank("u")), [
      ["a", 1],
      ["b", 10],
      ["c", 20],
    ]);
    assert.equal(await hoursLeft(cache(), "u"), 2);
    assert.deepEqual(await cache().sortedSetUnionStore("u", ["none"]), { result: "success", length: 0 });
    assert.equal((await cache().sortedSetLength("u")).result, "miss");
    assert.equal(codeOf(await cache().sortedSetUnionStore("u", [])), "InvalidArgument");
  });

  test("single-element calls and aliases put, read and remove elements", async () => {
    await cache().sortedSetPutElement("e", "a", 1);
    await cache().sortedSetPutElements("e", { b: 2, c: 3 });
    assert.deepEqual(await cache().sortedSetGetElementScore("e", "a"), { result: "hit", score: 1 });
    await cache().sortedSetRemoveElement("e", "a");
    await cache().sortedSetRemoveElements("e", ["b", "none"]);
    assert.equal((await cache().sortedSetGetElementScore("e", "a")).result, "miss");
    assert.deepEqual(await told(cache().sortedSetFetchByRank("e")), [["c", 3]]);
    await cache().sortedSetRemove("e", ["c"]);
    for (const read of [
      cache().sortedSetFetchByRank("e"),
      cache().sortedSetFetchByScore("e"),
      cache().sortedSetGetScore("e", ["a"]),
      cache().sortedSetGetElementScore("e", "a"),
      cache().sortedSetGetRank("e", "a"),
      cache().sortedSetLength("e"),
      cache().sortedSetLengthByScore("e"),
    ])
      assert.equal((await read).result, "miss");
  });

  test("write keeps an existing TTL unless it requests a refresh", async () => {
    const kept = CollectionTtl.of(7_200_000).withNoRefreshTtlOnUpdates();
    await cache().sortedSetPut("t", { a: 1 }, { ttl: kept });
    await cache().sortedSetIncrement("t", "a", 1, { ttl: CollectionTtl.of(10_800_000).withNoRefreshTtlOnUpdates() });
    assert.equal(await hoursLeft(cache(), "t"), 2);
    await cache().sortedSetPutElement("t", "b", 2);
    assert.equal(await hoursLeft(cache(), "t"), 1);
  });

  refusesOtherTypes(cache, (on, name) => [
    on.sortedSetPut(name, { a: 1 }),
    on.sortedSetFetchByRank(name),
    on.sortedSetFetchByScore(name),
    on.sortedSetGetScore(name, ["a"]),
    on.sortedSetGetRank(name, "a"),
    on.sortedSetIncrement(name, "a"),
    on.sortedSetRemove(name, ["a"]),
    on.sortedSetLength(name),
    on.sortedSetLengthByScore(name),
    on.sortedSetUnionStore("other", [name]),
  ]);
});
