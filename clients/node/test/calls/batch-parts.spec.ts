import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { maxMessageBytes, partsOf } from "../../src/calls/batch-parts.js";

const own = (bytes: number) => bytes;

describe("partsOf", () => {
  test("BATCH-9: splits a batch when its size exceeds the limit", () => {
    const half = maxMessageBytes / 2;
    assert.deepEqual(partsOf([half, half], own), [[half, half]]);
    assert.deepEqual(partsOf([half, half, 1], own), [[half, half], [1]]);
    const many = Array.from({ length: 100 }, () => maxMessageBytes / 10 + 1);
    const parts = partsOf(many, own);
    assert.ok(parts.length >= 11);
    assert.ok(parts.every((part) => part.reduce((sum, bytes) => sum + bytes, 0) <= maxMessageBytes));
    assert.deepEqual(parts.flat(), many);
  });

  test("gives an oversized item its own part", () => {
    assert.deepEqual(partsOf([1, maxMessageBytes + 1, 2], own), [[1], [maxMessageBytes + 1], [2]]);
  });

  test("returns one empty part for no items", () => {
    assert.deepEqual(partsOf([], own), [[]]);
  });
});
