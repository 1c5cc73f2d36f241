import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkCacheName, itemsOf } from "../../src/client/validation.js";

describe("checkCacheName", () => {
  test("rejects a blank name on the first and later calls", () => {
    assert.match(checkCacheName("")?.error.message ?? "taken", /blank/);
    assert.equal(checkCacheName("cache"), null);
    assert.match(checkCacheName("")?.error.message ?? "taken", /blank/);
  });
});

describe("itemsOf", () => {
  test("accepts an object, a Map, or pairs with TTLs", () => {
    assert.deepEqual(
      [...itemsOf({ a: "1", b: "2" })],
      [
        ["a", "1"],
        ["b", "2"],
      ],
    );
    assert.deepEqual([...itemsOf(new Map([["a", "1"]]))], [["a", "1"]]);
    assert.deepEqual([...itemsOf([["a", "1", 1_000]])], [["a", "1", 1_000]]);
  });

  test("throws a TypeError for a number, null or string", () => {
    for (const wrong of [7, null, "ab"]) assert.throws(() => itemsOf(wrong as never), TypeError);
  });
});
