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
  test("fields with their values, with a time to live that refreshes and one that does not", () => {
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

  test("an increment, down to the lowest amount", () => {
    assert.deepEqual(requestOf(new op.DictionaryIncrementOperation("cache", "d", "f", -(2n ** 63n), kept)), {
      name: "d",
      field: "f",
      amount: "-9223372036854775808",
      ttlMs: "5000",
    });
  });

  test("fields that are asked for, some that are removed, and all", () => {
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

  test("a list of 300 fields and one of 70,000 bytes have lengths of several bytes", () => {
    const fields = Array.from({ length: 300 }, (_, i) => `field ${i}`);
    const long = "x".repeat(70_000);
    assert.deepEqual(requestOf(new op.DictionaryGetOperation("cache", "d", [...fields, long])), {
      name: "d",
      fields: [...fields, long],
    });
  });
});

describe("dictionary answers", () => {
  test("a part for each asked field, with its value or without", () => {
    const parts = [{ result: 2, value: bytes("1") }, { result: 3 }, { result: 2 }];
    const hit = answerOf(new op.DictionaryGetOperation("cache", "d", ["a", "b", "c"]), { found: { parts } });
    assert.ok(hit instanceof FieldsHit);
    assert.deepEqual(hit.values, ["1", null, ""]);
    assert.deepEqual(hit.valuesBytes, [bytes("1"), null, bytes("")]);
  });

  test("fewer or more parts than asked for, and a part that is neither hit nor miss, are no answer", () => {
    const get = new op.DictionaryGetOperation("cache", "d", ["a", "b"]);
    for (const count of [0, 1, 3]) {
      const parts = Array.from({ length: count }, () => ({ result: 3 }));
      assert.throws(() => answerOf(get, { found: { parts } }), ProtoError, String(count));
    }
    for (const result of [0, 1, 4])
      assert.throws(() => answerOf(get, { found: { parts: [{ result: 3 }, { result }] } }), ProtoError);
  });

  test("all fields, any bytes", () => {
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

  test("a value, a length, an end without more, and a miss", () => {
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

  test("an answer that says nothing is none", () => {
    for (const read of [
      new op.DictionaryGetOperation("cache", "d", []),
      new op.DictionaryFetchOperation("cache", "d"),
      new op.DictionaryLengthOperation("cache", "d"),
    ])
      assert.throws(() => answerOf<unknown>(read, {}), /outcome 0/);
  });
});
