import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { miss, success } from "../../src/client/responses.js";
import { ElementsHit } from "../../src/collections/collection-hits.js";
import * as op from "../../src/operations/_generated/set-operations.js";
import { ProtoError, ProtoReader } from "../../src/operations/proto-reader.js";
import { answerOf, requestOf } from "../support/contract.js";

const ttl = { ttlMs: 1, refreshes: true };

describe("set requests", () => {
  test("encodes elements to add, remove, subtract and check", () => {
    const elements = ["a", "", Buffer.from("b")];
    const told = { name: "s", elements: ["a", "", "b"] };
    assert.deepEqual(requestOf(new op.SetUnionOperation("cache", "s", elements, ttl)), {
      ...told,
      ttlMs: "1",
      refreshTtl: true,
    });
    assert.deepEqual(requestOf(new op.SetContainsOperation("cache", "s", elements)), told);
    assert.deepEqual(requestOf(new op.SetDifferenceOperation("cache", "s", elements)), {
      name: "s",
      subtrahend: { set: { elements: ["a", "", "b"] } },
    });
    assert.deepEqual(requestOf(new op.SetDifferenceOperation("cache", "s", [])), {
      name: "s",
      subtrahend: { set: {} },
    });
    assert.deepEqual(requestOf(new op.SetDifferenceFromOperation("cache", "s", elements)), {
      name: "s",
      minuend: { elements: ["a", "", "b"] },
    });
  });

  test("encodes sample limits of up to 2^53 - 1", () => {
    for (const limit of [0, 1, 2 ** 32, Number.MAX_SAFE_INTEGER])
      assert.deepEqual(requestOf(new op.SetSampleOperation("cache", "s", limit)), { name: "s", limit: String(limit) });
    assert.deepEqual(requestOf(new op.SetPopOperation("cache", "s", 2 ** 32 - 1)), { name: "s", count: 2 ** 32 - 1 });
    assert.deepEqual(requestOf(new op.SetFetchOperation("cache", "s")), { name: "s" });
    assert.deepEqual(requestOf(new op.SetLengthOperation("cache", "s")), { name: "s" });
  });
});

describe("set responses", () => {
  const readers = [
    new op.SetFetchOperation("cache", "s"),
    new op.SetSampleOperation("cache", "s", 2),
    new op.SetPopOperation("cache", "s", 2),
  ];

  test("decodes elements and empty sets", () => {
    for (const read of readers) {
      const hit = answerOf(read, { found: { elements: [Buffer.from("ü"), Buffer.alloc(0)] } });
      assert.ok(hit instanceof ElementsHit);
      assert.deepEqual(hit.elements, ["ü", ""]);
      const none = answerOf(read, { found: {} });
      assert.ok(none instanceof ElementsHit);
      assert.deepEqual(none.elements, []);
    }
  });

  test("SetContains requires exactly one flag per element", () => {
    const contains = new op.SetContainsOperation("cache", "s", ["a", "b"]);
    assert.deepEqual(answerOf(contains, { found: { contains: [true, false] } }), {
      result: "hit",
      contains: [true, false],
    });
    const unpacked = Buffer.from([10, 4, 8, 0, 8, 1]);
    assert.deepEqual(contains.decode(new ProtoReader(unpacked)), { result: "hit", contains: [false, true] });
    for (const wrong of [[], [true], [true, true, true]])
      assert.throws(() => answerOf(contains, { found: { contains: wrong } }), ProtoError);
  });

  test("decodes differences, unions, lengths and misses", () => {
    for (const difference of [
      new op.SetDifferenceOperation("cache", "s", ["a"]),
      new op.SetDifferenceFromOperation("cache", "s", ["a"]),
    ]) {
      assert.deepEqual(answerOf(difference, { found: {} }), { result: "hit" });
      assert.equal(answerOf(difference, { missing: {} }), miss);
      assert.throws(() => answerOf(difference, {}), ProtoError);
    }
    assert.equal(answerOf(new op.SetUnionOperation("cache", "s", [], ttl), {}), success);
    const length = new op.SetLengthOperation("cache", "s");
    assert.deepEqual(answerOf(length, { found: { length: 2 } }), { result: "hit", length: 2 });
    for (const read of [...readers, length, new op.SetContainsOperation("cache", "s", ["a"])])
      assert.equal(answerOf<unknown>(read, { missing: {} }), miss);
  });
});
