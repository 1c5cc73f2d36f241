import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { maxMessageBytes, partsOf } from "../../src/calls/batch-parts.js";

const own = (bytes: number) => bytes;

describe("a batch in parts", () => {
  test("BATCH-9: at the bound a batch is one part, one byte past it two, ten times past it eleven or more", () => {
    const half = maxMessageBytes / 2;
    assert.deepEqual(partsOf([half, half], own), [[half, half]]);
    assert.deepEqual(partsOf([half, half, 1], own), [[half, half], [1]]);
    const many = Array.from({ length: 100 }, () => maxMessageBytes / 10 + 1);
    const parts = partsOf(many, own);
    assert.ok(parts.length >= 11);
    assert.ok(parts.every((part) => part.reduce((sum, bytes) => sum + bytes, 0) <= maxMessageBytes));
    assert.deepEqual(parts.flat(), many);
  });

  test("an item past the bound has a part of its own, so that its refusal is its own", () => {
    assert.deepEqual(partsOf([1, maxMessageBytes + 1, 2], own), [[1], [maxMessageBytes + 1], [2]]);
  });

  test("no items are one part", () => {
    assert.deepEqual(partsOf([], own), [[]]);
  });
});
