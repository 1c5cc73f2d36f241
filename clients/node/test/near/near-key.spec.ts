import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import fc from "fast-check";
import { copyKey, nearKeyOf } from "../../src/near/near-key.js";

describe("nearKeyOf", () => {
  test("text and its UTF-8 bytes are the same key", () => {
    for (const text of ["k", "wörth", "\u{1f600}", "\ufeffbegins with a byte order mark", "a\0b"]) {
      assert.equal(nearKeyOf(text), text);
      assert.equal(nearKeyOf(Buffer.from(text)), text);
      assert.equal(nearKeyOf(new Uint8Array(Buffer.from(text))), text);
    }
  });

  test("different bytes are different keys", () => {
    const key = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 6 }),
      fc.string({ minLength: 1, maxLength: 4, unit: "grapheme" }).map((text) => Buffer.from(text)),
      fc.uint8Array({ minLength: 1, maxLength: 3, min: 0xc0 }),
    );
    fc.assert(
      fc.property(key, key, (one, other) => {
        assert.equal(nearKeyOf(one) === nearKeyOf(other), Buffer.compare(one, other) === 0);
      }),
      { numRuns: 2_000 },
    );
    assert.notEqual(nearKeyOf(Buffer.from([0xff])), nearKeyOf("ÿ"));
  });

  test("copyKey returns an equal key", () => {
    for (const key of ["k", "wörth wörth wörth", "a key of some length", Buffer.alloc(30, 0xff), Buffer.from([0xff])])
      assert.equal(copyKey(nearKeyOf(key)), nearKeyOf(key));
  });

  test("key of a subarray contains only the subarray's bytes", () => {
    assert.equal(nearKeyOf(Buffer.from("xkeyx").subarray(1, 4)), "key");
  });
});
