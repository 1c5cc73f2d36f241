import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { miss, success } from "../../src/client/responses.js";
import { ScoredElementsHit } from "../../src/collections/collection-hits.js";
import { ScoreBound } from "../../src/collections/score-bound.js";
import * as op from "../../src/operations/_generated/sorted-set-operations.js";
import { ProtoError } from "../../src/operations/proto-reader.js";
import { answerOf, requestOf } from "../support/contract.js";

const ttl = { ttlMs: 60_000, refreshes: true };
const sent = { ttlMs: "60000", refreshTtl: true };
const infinite = Number.POSITIVE_INFINITY;

describe("sorted set requests", () => {
  test("encodes scores, including infinite ones", () => {
    const elements = [
      ["a", 1.5],
      ["", -infinite],
      [Buffer.from("c"), 5e-324],
    ] as const;
    assert.deepEqual(requestOf(new op.SortedSetPutOperation("cache", "z", elements, ttl)), {
      name: "z",
      elements: [
        { value: "a", score: 1.5 },
        { value: "", score: -infinite },
        { value: "c", score: 5e-324 },
      ],
      ...sent,
    });
    assert.deepEqual(requestOf(new op.SortedSetIncrementOperation("cache", "z", "a", -0.5, ttl)), {
      name: "z",
      value: "a",
      amount: -0.5,
      ...sent,
    });
  });

  test("SortedSetFetchByRank encodes order and indexes", () => {
    assert.deepEqual(requestOf(new op.SortedSetFetchByRankOperation("cache", "z", 1, -3, undefined)), {
      name: "z",
      order: "DESCENDING",
      withScores: true,
      byIndex: { inclusiveStart: -3, unboundedEnd: {} },
    });
    assert.deepEqual(requestOf(new op.SortedSetFetchByRankOperation("cache", "z", 0, undefined, 0)), {
      name: "z",
      order: "ASCENDING",
      withScores: true,
      byIndex: { unboundedStart: {}, exclusiveEnd: 0 },
    });
  });

  test("encodes inclusive and exclusive score bounds", () => {
    const fetch = (min?: ScoreBound, max?: ScoreBound, offset = 0, count = -1) =>
      requestOf(new op.SortedSetFetchByScoreOperation("cache", "z", 0, min, max, offset, count));
    const head = { name: "z", order: "ASCENDING", withScores: true };
    assert.deepEqual(fetch(), {
      ...head,
      byScore: { unboundedMin: {}, unboundedMax: {}, offset: 0, count: -1 },
    });
    assert.deepEqual(fetch(ScoreBound.inclusive(1), ScoreBound.exclusive(infinite), 2 ** 32 - 1, -(2 ** 31)), {
      ...head,
      byScore: {
        minScore: { score: 1 },
        maxScore: { score: infinite, exclusive: true },
        offset: 2 ** 32 - 1,
        count: -(2 ** 31),
      },
    });
    const length = (min?: ScoreBound, max?: ScoreBound) =>
      requestOf(new op.SortedSetLengthByScoreOperation("cache", "z", min, max));
    assert.deepEqual(length(), { name: "z", unboundedMin: {}, unboundedMax: {} });
    assert.deepEqual(length(ScoreBound.inclusive(-1), ScoreBound.inclusive(0)), {
      name: "z",
      inclusiveMin: -1,
      inclusiveMax: 0,
    });
    assert.deepEqual(length(ScoreBound.exclusive(-1), ScoreBound.exclusive(0)), {
      name: "z",
      exclusiveMin: -1,
      exclusiveMax: 0,
    });
  });

  test("encodes lookups, removals and unions with weights", () => {
    assert.deepEqual(requestOf(new op.SortedSetGetScoreOperation("cache", "z", ["a", "b"])), {
      name: "z",
      values: ["a", "b"],
    });
    assert.deepEqual(requestOf(new op.SortedSetGetRankOperation("cache", "z", "a", 1)), {
      name: "z",
      value: "a",
      order: "DESCENDING",
    });
    assert.deepEqual(requestOf(new op.SortedSetRemoveOperation("cache", "z", ["a"])), {
      name: "z",
      some: { values: ["a"] },
    });
    const sources = [
      ["x", 0.5],
      [Buffer.from("y"), -infinite],
    ] as const;
    assert.deepEqual(requestOf(new op.SortedSetUnionStoreOperation("cache", "z", sources, 2, 1)), {
      name: "z",
      sources: [
        { name: "x", weight: 0.5 },
        { name: "y", weight: -infinite },
      ],
      aggregate: "MAX",
      ttlMs: "1",
    });
    assert.deepEqual(requestOf(new op.SortedSetLengthOperation("cache", "z")), { name: "z" });
  });
});

describe("sorted set responses", () => {
  const fetches = [
    new op.SortedSetFetchByRankOperation("cache", "z", 0, undefined, undefined),
    new op.SortedSetFetchByScoreOperation("cache", "z", 0, undefined, undefined, 0, -1),
  ];

  test("decodes elements with scores and empty results", () => {
    const elements = [{ value: Buffer.from("a"), score: -infinite }, { value: Buffer.alloc(0) }];
    for (const fetch of fetches) {
      const hit = answerOf(fetch, { found: { withScores: { elements } } });
      assert.ok(hit instanceof ScoredElementsHit);
      assert.deepEqual(hit.elements, [
        ["a", -infinite],
        ["", 0],
      ]);
      assert.deepEqual(hit.elementsBytes, [
        [Buffer.from("a"), -infinite],
        [Buffer.alloc(0), 0],
      ]);
      const none = answerOf(fetch, { found: { withScores: {} } });
      assert.ok(none instanceof ScoredElementsHit);
      assert.deepEqual(none.elements, []);
      assert.equal(answerOf(fetch, { missing: {} }), miss);
    }
  });

  test("rejects elements without scores", () => {
    for (const fetch of fetches) {
      assert.throws(
        () => answerOf(fetch, { found: { values: { values: [Buffer.from("a")] } } }),
        /field 2 instead of field 1/,
      );
      assert.throws(() => answerOf(fetch, { found: {} }), /field 0 instead of field 1/);
    }
  });

  test("SortedSetGetScore requires one part per element", () => {
    const get = new op.SortedSetGetScoreOperation("cache", "z", ["a", "b", "c"]);
    const parts = [{ result: 2, score: 1.5 }, { result: 3 }, { result: 2 }];
    assert.deepEqual(answerOf(get, { found: { parts } }), { result: "hit", scores: [1.5, null, 0] });
    assert.throws(() => answerOf(get, { found: { parts: parts.slice(1) } }), ProtoError);
    assert.throws(() => answerOf(get, { found: { parts: [...parts.slice(1), { result: 1 }] } }), ProtoError);
    assert.equal(answerOf(get, { missing: {} }), miss);
  });

  test("SortedSetGetRank decodes ranks and misses", () => {
    const rank = new op.SortedSetGetRankOperation("cache", "z", "a", 0);
    assert.deepEqual(answerOf(rank, { part: { result: 2, rank: 4_000_000_000 } }), { result: "hit", rank: 4e9 });
    assert.deepEqual(answerOf(rank, { part: { result: 2 } }), { result: "hit", rank: 0 });
    assert.equal(answerOf(rank, { part: { result: 3, rank: 1 } }), miss);
    assert.equal(answerOf(rank, { missing: {} }), miss);
    for (const response of [{}, { part: {} }, { part: { result: 1 } }])
      assert.throws(() => answerOf(rank, response), ProtoError);
  });

  test("decodes scores, lengths and success", () => {
    const increment = new op.SortedSetIncrementOperation("cache", "z", "a", 1, ttl);
    assert.deepEqual(answerOf(increment, { score: infinite }), { result: "success", score: infinite });
    const union = new op.SortedSetUnionStoreOperation("cache", "z", [["x", 1]], 0, 1);
    assert.deepEqual(answerOf(union, { length: 2 }), { result: "success", length: 2 });
    assert.equal(answerOf(new op.SortedSetPutOperation("cache", "z", [], ttl), {}), success);
    assert.equal(answerOf(new op.SortedSetRemoveOperation("cache", "z", []), {}), success);
    for (const length of [
      new op.SortedSetLengthOperation("cache", "z"),
      new op.SortedSetLengthByScoreOperation("cache", "z", undefined, undefined),
    ]) {
      assert.deepEqual(answerOf(length, { found: { length: 2 } }), { result: "hit", length: 2 });
      assert.equal(answerOf(length, { missing: {} }), miss);
    }
  });
});
