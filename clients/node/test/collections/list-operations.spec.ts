import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { miss } from "../../src/client/responses.js";
import { PoppedHit, ValuesHit } from "../../src/collections/collection-hits.js";
import { unchangedTtl } from "../../src/collections/collection-ttl.js";
import * as op from "../../src/operations/_generated/list-operations.js";
import { ProtoError } from "../../src/operations/proto-reader.js";
import { answerOf, requestOf } from "../support/contract.js";

const ttl = { ttlMs: 300, refreshes: true };
const sent = { ttlMs: "300", refreshTtl: true };
const least = -(2 ** 31);
const most = 2 ** 31 - 1;

describe("list requests", () => {
  test("push and concatenate encode values and the truncation size", () => {
    assert.deepEqual(requestOf(new op.ListPushFrontOperation("cache", "l", "v", ttl, 7)), {
      name: "l",
      value: "v",
      ...sent,
      truncateBackToSize: 7,
    });
    assert.deepEqual(requestOf(new op.ListPushBackOperation("cache", "l", "", ttl, 2 ** 32 - 1)), {
      name: "l",
      value: "",
      ...sent,
      truncateFrontToSize: 2 ** 32 - 1,
    });
    assert.deepEqual(requestOf(new op.ListConcatenateFrontOperation("cache", "l", ["a", "b"], ttl, 0)), {
      name: "l",
      values: ["a", "b"],
      ...sent,
      truncateBackToSize: 0,
    });
    assert.deepEqual(requestOf(new op.ListConcatenateBackOperation("cache", "l", [], ttl, 1)), {
      name: "l",
      ...sent,
      truncateFrontToSize: 1,
    });
  });

  test("fetch and retain encode bounds of up to 32 bits", () => {
    const unbounded = { unboundedStart: {}, unboundedEnd: {} };
    const fetched = (start?: number, end?: number) => requestOf(new op.ListFetchOperation("cache", "l", start, end));
    assert.deepEqual(fetched(), { name: "l", ...unbounded });
    assert.deepEqual(fetched(0, -1), { name: "l", inclusiveStart: 0, exclusiveEnd: -1 });
    assert.deepEqual(fetched(least, most), { name: "l", inclusiveStart: least, exclusiveEnd: most });
    assert.deepEqual(requestOf(new op.ListRetainOperation("cache", "l", undefined, undefined, unchangedTtl)), {
      name: "l",
      ...unbounded,
      ttlMs: "0",
    });
    assert.deepEqual(requestOf(new op.ListRetainOperation("cache", "l", 1, undefined, ttl)), {
      name: "l",
      inclusiveStart: 1,
      unboundedEnd: {},
      ...sent,
    });
  });

  test("remove, erase, pop and length encode their arguments", () => {
    assert.deepEqual(requestOf(new op.ListRemoveOperation("cache", "l", "")), { name: "l", allWithValue: "" });
    assert.deepEqual(
      requestOf(
        new op.ListEraseOperation("cache", "l", [
          [0, 1],
          [300, 2 ** 32 - 1],
        ]),
      ),
      {
        name: "l",
        some: {
          ranges: [
            { begin: 0, count: 1 },
            { begin: 300, count: 2 ** 32 - 1 },
          ],
        },
      },
    );
    assert.deepEqual(requestOf(new op.ListEraseOperation("cache", "l", [])), { name: "l", some: {} });
    for (const request of [op.ListPopFrontOperation, op.ListPopBackOperation, op.ListLengthOperation])
      assert.deepEqual(requestOf(new request("cache", "l")), { name: "l" });
  });
});

describe("list responses", () => {
  test("push and concatenate decode the new length", () => {
    for (const made of [
      new op.ListPushFrontOperation("cache", "l", "v", ttl, 0),
      new op.ListPushBackOperation("cache", "l", "v", ttl, 0),
      new op.ListConcatenateFrontOperation("cache", "l", ["v"], ttl, 0),
      new op.ListConcatenateBackOperation("cache", "l", ["v"], ttl, 0),
    ]) {
      assert.deepEqual(answerOf(made, { length: 2 ** 32 - 1 }), { result: "success", length: 2 ** 32 - 1 });
      assert.deepEqual(answerOf(made, {}), { result: "success", length: 0 });
    }
  });

  test("pop decodes element and length, or a miss", () => {
    for (const pop of [new op.ListPopFrontOperation("cache", "l"), new op.ListPopBackOperation("cache", "l")]) {
      const hit = answerOf(pop, { found: { value: Buffer.from("v"), length: 3 } });
      assert.ok(hit instanceof PoppedHit);
      assert.deepEqual([hit.value, hit.valueBytes, hit.length], ["v", Buffer.from("v"), 3]);
      const empty = answerOf(pop, { found: {} });
      assert.ok(empty instanceof PoppedHit);
      assert.deepEqual([empty.value, empty.length], ["", 0]);
      assert.equal(answerOf(pop, { missing: {} }), miss);
      assert.throws(() => answerOf(pop, {}), ProtoError);
    }
  });

  test("decodes ordered elements, lengths and misses", () => {
    const fetch = new op.ListFetchOperation("cache", "l", undefined, undefined);
    const hit = answerOf(fetch, { found: { elements: [Buffer.from("b"), Buffer.from("a")] } });
    assert.ok(hit instanceof ValuesHit);
    assert.deepEqual(hit.values, ["b", "a"]);
    assert.deepEqual(hit.valuesBytes, [Buffer.from("b"), Buffer.from("a")]);
    assert.equal(answerOf(fetch, { missing: {} }), miss);
    for (const made of [
      new op.ListRetainOperation("cache", "l", 0, 1, unchangedTtl),
      new op.ListRemoveOperation("cache", "l", "v"),
      new op.ListEraseOperation("cache", "l", []),
      new op.ListLengthOperation("cache", "l"),
    ]) {
      assert.deepEqual(answerOf(made, { found: { length: 1 } }), { result: "hit", length: 1 });
      assert.equal(answerOf(made, { missing: {} }), miss);
      assert.throws(() => answerOf(made, {}), ProtoError);
    }
  });
});
