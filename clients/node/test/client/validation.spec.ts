import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkCacheName, itemsOf } from "../../src/client/validation.js";

describe("a cache's name", () => {
  test("is not blank, not in the first call either", () => {
    assert.match(checkCacheName("")?.error.message ?? "taken", /blank/);
    assert.equal(checkCacheName("cache"), null);
    assert.match(checkCacheName("")?.error.message ?? "taken", /blank/);
  });
});

describe("a batch's items", () => {
  test("come in an object, a Map, or pairs with or without a time to live", () => {
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

  test("are a TypeError where they are none of these", () => {
    for (const wrong of [7, null, "ab"]) assert.throws(() => itemsOf(wrong as never), TypeError);
  });
});
