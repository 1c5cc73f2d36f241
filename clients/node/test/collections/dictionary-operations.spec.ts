import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { miss, success } from "../../src/client/responses.js";
import { FieldsHit, ItemsHit } from "../../src/collections/collection-hits.js";
import * as op from "../../src/operations/_generated/dictionary-operations.js";
import { ProtoError } from "../../src/operations/proto-reader.js";
import { answerOf, requestOf } from "../support/contract.js";

const kept = { ttlMs: 5_000, refreshes: false };
const refreshed = { ttlMs: 5_000, refreshes: true };
const bytes = (text: string) => Buffer.from(text);

describe("dictionary requests", () => {
  test("DictionarySet encodes items and the TTL", () => {
    const items = [
      ["f", "1"],
      [bytes("g"), ""],
    ] as const;
    assert.deepEqual(requestOf(new op.DictionarySetOperation("cache", "d", items, refreshed)), {
      name: "d",
      items: [
        { field: "f", value: "1" },
        { field: "g", value: "" },
      ],
      ttlMs: "5000",
      refreshTtl: true,
    });
    assert.deepEqual(requestOf(new op.DictionarySetOperation("cache", "d", [], kept)), { name: "d", ttlMs: "5000" });
  });

  test("DictionaryIncrement encodes the lowest amount", () => {
    assert.deepEqual(requestOf(new op.DictionaryIncrementOperation("cache", "d", "f", -(2n ** 63n), kept)), {
      name: "d",
      field: "f",
      amount: "-9223372036854775808",
      ttlMs: "5000",
    });
  });

  test("Get, Remove, Delete, Fetch and Length encode their arguments", () => {
    assert.deepEqual(requestOf(new op.DictionaryGetOperation("cache", "d", ["a", "ü"])), {
      name: "d",
      fields: ["a", "ü"],
    });
    assert.deepEqual(requestOf(new op.DictionaryRemoveOperation("cache", "d", ["a"])), {
      name: "d",
      some: { fields: ["a"] },
    });
    assert.deepEqual(requestOf(new op.DictionaryRemoveOperation("cache", "d", [])), { name: "d", some: {} });
    assert.deepEqual(requestOf(new op.DictionaryDeleteOperation("cache", "d")), { name: "d", all: {} });
    assert.deepEqual(requestOf(new op.DictionaryFetchOperation("cache", "d")), { name: "d" });
    assert.deepEqual(requestOf(new op.DictionaryLengthOperation("cache", "d")), { name: "d" });
  });

  test("encodes lengths that need several bytes", () => {
    const fields = Array.from({ length: 300 }, (_, i) => `field ${i}`);
    const long = "x".repeat(70_000);
    assert.deepEqual(requestOf(new op.DictionaryGetOperation("cache", "d", [...fields, long])), {
      name: "d",
      fields: [...fields, long],
    });
  });
});

describe("dictionary responses", () => {
  test("DictionaryGet decodes a value or null per field", () => {
    const parts = [{ result: 2, value: bytes("1") }, { result: 3 }, { result: 2 }];
    const hit = answerOf(new op.DictionaryGetOperation("cache", "d", ["a", "b", "c"]), { found: { parts } });
    assert.ok(hit instanceof FieldsHit);
    assert.deepEqual(hit.values, ["1", null, ""]);
    assert.deepEqual(hit.valuesBytes, [bytes("1"), null, bytes("")]);
  });

  test("DictionaryGet rejects wrong part counts and wrong part results", () => {
    const get = new op.DictionaryGetOperation("cache", "d", ["a", "b"]);
    for (const count of [0, 1, 3]) {
      const parts = Array.from({ length: count }, () => ({ result: 3 }));
      assert.throws(() => answerOf(get, { found: { parts } }), ProtoError, String(count));
    }
    for (const result of [0, 1, 4])
      assert.throws(() => answerOf(get, { found: { parts: [{ result: 3 }, { result }] } }), ProtoError);
  });

  test("DictionaryFetch decodes fields of any bytes", () => {
    const items = [{ field: bytes("a"), value: bytes("1") }, { field: Buffer.from([0xff]) }];
    const hit = answerOf(new op.DictionaryFetchOperation("cache", "d"), { found: { items } });
    assert.ok(hit instanceof ItemsHit);
    assert.deepEqual(hit.items, [
      ["a", "1"],
      ["\ufffd", ""],
    ]);
    assert.deepEqual(hit.itemsBytes, [
      [bytes("a"), bytes("1")],
      [Buffer.from([0xff]), bytes("")],
    ]);
  });

  test("decodes values, lengths, success and misses", () => {
    const increment = new op.DictionaryIncrementOperation("cache", "d", "f", 1n, kept);
    assert.deepEqual(answerOf(increment, { value: -7 }), { result: "success", value: -7n });
    assert.deepEqual(answerOf(increment, {}), { result: "success", value: 0n });
    const length = new op.DictionaryLengthOperation("cache", "d");
    assert.deepEqual(answerOf(length, { found: { length: 3 } }), { result: "hit", length: 3 });
    assert.equal(answerOf(new op.DictionarySetOperation("cache", "d", [], kept), {}), success);
    assert.equal(answerOf(new op.DictionaryDeleteOperation("cache", "d"), {}), success);
    assert.equal(answerOf(new op.DictionaryRemoveOperation("cache", "d", []), {}), success);
    for (const read of [
      new op.DictionaryGetOperation("cache", "d", ["a"]),
      new op.DictionaryFetchOperation("cache", "d"),
      length,
    ])
      assert.equal(answerOf<unknown>(read, { missing: {} }), miss);
  });

  test("rejects an empty response", () => {
    for (const read of [
      new op.DictionaryGetOperation("cache", "d", []),
      new op.DictionaryFetchOperation("cache", "d"),
      new op.DictionaryLengthOperation("cache", "d"),
    ])
      assert.throws(() => answerOf<unknown>(read, {}), /outcome 0/);
  });
});
